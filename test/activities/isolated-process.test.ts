import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parsePayload } from '../../activities/isolation/frames.ts'
import { startIsolated } from '../../activities/isolation/isolated-process.ts'

const MAIN = fileURLToPath(new URL('fixtures/isolated/trespass.ts', import.meta.url))
const MB = 1_048_576
const before = process.env.NODE_COMPILE_CACHE
const folder = mkdtempSync(join(tmpdir(), 'ganglion-cache-'))

afterAll(() => {
  if (before === undefined) delete process.env.NODE_COMPILE_CACHE
  else process.env.NODE_COMPILE_CACHE = before
  rmSync(folder, { recursive: true })
})

test.each([
  { of: 'without compiled modules', cache: '', environment: [] },
  { of: 'with compiled modules', cache: folder, environment: ['NODE_COMPILE_CACHE'] },
])('an isolated process $of can write no file and start nothing', async ({ cache, environment }) => {
  process.env.NODE_COMPILE_CACHE = cache
  const { signal } = new AbortController()
  const child = startIsolated({ main: MAIN, job: { folder }, bytes: new Uint8Array(), memoryBytes: 400 * MB, signal })
  const sent = []
  for await (const frame of child.frames) sent.push(parsePayload(frame))
  await child.end()
  const refused = 'ERR_ACCESS_DENIED'
  expect(sent).toEqual([{ write: refused, thread: refused, process: refused, environment }])
})
