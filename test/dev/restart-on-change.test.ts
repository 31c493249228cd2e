import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type App, startApps } from '../../dev/stack/apps.ts'
import { endEntry } from '../../dev/stack/entries.ts'
import { findImports } from '../../dev/stack/watch/import-graph.ts'
import { restartOnChange } from '../../dev/stack/watch/restart-on-change.ts'
import { openStateDir, type StateDir } from '../../dev/stack/state/state-dir.ts'
import { readState } from '../../dev/stack/state/state.ts'
import { waitUntil } from '../support/stack/process.ts'

const WAITS = 'setInterval(() => {}, 1000)\n'
let stateDir: StateDir
let sources = ''
beforeEach(() => {
  sources = mkdtempSync(join(tmpdir(), 'sources-'))
  stateDir = openStateDir(mkdtempSync(join(tmpdir(), 'state-')))
})
afterEach(() => {
  for (const path of [sources, stateDir.folder, stateDir.data]) rmSync(path, { recursive: true, force: true })
})

const write = (name: string, text: string) => writeFileSync(join(sources, name), text)
const source = (name: string) => join(sources, name)

test('the imports of a file are the ones loaded at run time, directly or indirectly', () => {
  write('main.ts', "import { a } from './a.ts'\nimport type { T } from './type-only.ts'\nimport fs from 'node:fs'\n")
  write('a.ts', "export {\n  b,\n} from './b.ts'\nconst main = new URL('process.ts', import.meta.url)\n")
  write('b.ts', "import './effect.ts'\nimport { a } from './a.ts'\nawait import('./lazy.ts')\n")
  for (const name of ['type-only', 'process', 'effect', 'lazy', 'unused']) write(`${name}.ts`, '')
  const names = ['main', 'a', 'b', 'effect', 'lazy', 'process'].map(name => source(`${name}.ts`))
  expect(findImports([source('main.ts')])).toEqual(new Set(names))
})

describe('a change of a source file', () => {
  const app = (name: string, loads: string[] = []): App => ({
    name,
    script: source(`${name}.ts`),
    loads: loads.map(source),
    env: {},
    check: async () => {},
  })
  const pidOf = (name: string) => readState(stateDir.folder).running[name]?.process?.pid

  test('restarts only the processes that load it', async () => {
    write('library.ts', '')
    write('bundled.ts', '')
    write('reader.ts', `import './library.ts'\n${WAITS}`)
    write('bundler.ts', WAITS)
    const apps = [app('reader'), app('bundler', ['bundled.ts'])]
    const deps = { stateDir, log: () => {}, stays: false }
    const over = new AbortController()
    await startApps(apps, deps)
    const watching = restartOnChange([sources], apps, deps, over.signal)
    try {
      const [reader, bundler] = [pidOf('reader'), pidOf('bundler')]
      write('library.ts', '// changed')
      await waitUntil(() => pidOf('reader') !== reader && pidOf('reader'))
      expect(pidOf('bundler')).toBe(bundler)

      const restarted = pidOf('reader')
      write('bundled.ts', '// changed')
      await waitUntil(() => pidOf('bundler') !== bundler && pidOf('bundler'))
      expect(pidOf('reader')).toBe(restarted)
    } finally {
      over.abort()
      await watching
      await Promise.all(apps.map(({ name }) => endEntry(stateDir.folder, name, 'kill')))
    }
  })

  test('restarts a process that failed to start', async () => {
    write('broken.ts', 'throw new Error("broken")\n')
    const broken: App = {
      ...app('broken'),
      check: async () => {
        throw new Error('not ready')
      },
    }
    const logged: string[] = []
    const deps = { stateDir, log: (_name: string, message: string) => logged.push(message), stays: false }
    const over = new AbortController()
    const watching = restartOnChange([sources], [broken], deps, over.signal)
    try {
      write('broken.ts', 'throw new Error("still broken")\n')
      await waitUntil(() => logged.some(message => message.includes('still broken')))
      broken.check = async () => {}
      write('broken.ts', WAITS)
      await waitUntil(() => logged.some(message => message.startsWith('ready')))
      expect(pidOf('broken')).toEqual(expect.any(Number))
    } finally {
      over.abort()
      await watching
      await endEntry(stateDir.folder, 'broken', 'kill')
    }
  })
})
