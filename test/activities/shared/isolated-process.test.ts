import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { parsePayload } from '../../../activities/shared/isolation/frames.ts'
import { startIsolated } from '../../../activities/shared/isolation/isolated-process.ts'
import { hasNamespaces, wrapInNamespaces } from '../../../config/namespaces.ts'

const MAIN = fileURLToPath(new URL('isolated/trespass.ts', import.meta.url))
const MB = 1_048_576
const before = process.env.NODE_COMPILE_CACHE
const folder = mkdtempSync(join(tmpdir(), 'ganglion-cache-'))
let requests = 0
const server = createServer((_req, res) => {
  requests++
  res.end('a component')
})

beforeAll(async () => {
  writeFileSync(join(folder, 'secret'), 'a secret')
  await once(server.listen(0, '127.0.0.1'), 'listening')
})

afterAll(() => {
  if (before === undefined) delete process.env.NODE_COMPILE_CACHE
  else process.env.NODE_COMPILE_CACHE = before
  rmSync(folder, { recursive: true })
  server.close()
})

const port = () => (server.address() as AddressInfo).port

test.each([
  { of: 'without compiled modules', cache: '', environment: [] },
  { of: 'with compiled modules', cache: join(folder, 'compiled'), environment: ['NODE_COMPILE_CACHE'] },
])('an isolated process $of can only read its code, and cannot write, start processes or connect', async of => {
  process.env.NODE_COMPILE_CACHE = of.cache
  const { signal } = new AbortController()
  const job = { folder, parent: process.pid, port: port() }
  const child = startIsolated({ main: MAIN, job, bytes: new Uint8Array(), memoryBytes: 400 * MB, signal })
  const sent = []
  for await (const frame of child.frames) sent.push(parsePayload(frame))
  const { stderr } = await child.end()
  const refused = 'ERR_ACCESS_DENIED'
  expect([sent, stderr]).toEqual([
    [
      {
        environment: of.environment,
        write: refused,
        thread: refused,
        process: refused,
        read: refused,
        parentEnvironment: refused,
        parentFiles: refused,
        firstEnvironment: refused,
        fetch: refused,
        import: refused,
        require: refused,
        builtin: refused,
        socket: refused,
      },
    ],
    '',
  ])
  expect(requests).toBe(0)
})

/** Attempts by native code that Node's permissions don't stop. */
const PROBE = `
  const { readFileSync, readdirSync } = require('node:fs')
  const attempt = async act => { try { return await act() } catch (error) { return (error.cause ?? error).code } }
  const ownEnvironments = () => readdirSync('/proc').filter(name => /^\\d+$/.test(name)).map(pid => readFileSync('/proc/' + pid + '/environ', 'utf8'))
  const main = async () => ({
    parent: await attempt(() => readFileSync('/proc/${process.pid}/environ', 'utf8')),
    environments: await attempt(() => ownEnvironments().filter(text => text !== '').length),
    kill: await attempt(() => process.kill(${process.pid}, 0)),
    capabilities: /CapEff:\\s*(\\w+)/.exec(readFileSync('/proc/self/status', 'utf8'))[1],
    fetch: await attempt(() => fetch('http://127.0.0.1:' + process.argv[1]).then(it => it.status)),
    metadata: await attempt(() => fetch('http://169.254.169.254/').then(it => it.status)),
  })
  main().then(found => console.log(JSON.stringify(found)))`

test('namespaces isolate native code, if the system supports them', async () => {
  const args = ['-e', PROBE, String(port())]
  const child = spawn(...wrapInNamespaces(process.execPath, args), { env: {}, stdio: ['ignore', 'pipe', 'inherit'] })
  const probe = JSON.parse(await text(child.stdout)) as object
  const isolated = {
    parent: 'ENOENT',
    environments: 0,
    kill: 'ESRCH',
    capabilities: '0000000000000000',
    fetch: 'ENETUNREACH',
    metadata: 'ENETUNREACH',
  }
  expect(probe).toEqual(hasNamespaces() ? isolated : expect.objectContaining({ fetch: 200 }))
})

test('a program in namespaces ends with the signal that it sends to itself', async () => {
  const script = 'process.kill(process.pid, "SIGUSR2"); setInterval(() => {}, 1000)'
  const child = spawn(...wrapInNamespaces(process.execPath, ['-e', script]), { env: {}, stdio: 'ignore' })
  const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null]
  expect({ code, signal }).toEqual(
    hasNamespaces() ? { code: 128 + 12, signal: null } : { code: null, signal: 'SIGUSR2' },
  )
})
