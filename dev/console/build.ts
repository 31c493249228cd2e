import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { CHECKOUT } from '../machine/folders.ts'
import { run } from '../machine/shell.ts'
import type { Log } from '../stack/log.ts'

/** Browser code that Vite builds, and the API serves. */
interface Frontend {
  name: string
  /** Folder with the Vite configuration. */
  folder: string
  /** A file that every build writes. */
  output: string
  sources: string[]
}

const OF_CLIENT = ['client/src', 'package-lock.json']
const CONSOLE: Frontend = {
  name: 'console',
  folder: 'console',
  output: 'build/console/index.html',
  sources: ['console', 'client/openapi.json', ...OF_CLIENT],
}
const WIDGET: Frontend = {
  name: 'widget',
  folder: 'client/widget',
  output: 'build/widget/widget.js',
  sources: ['client/widget', ...OF_CLIENT],
}

/** Builds the console into build/console. */
export const buildConsole = (): Promise<void> => buildFrontend(CONSOLE)

/** Builds the chat widget. Returns the script. */
export async function buildWidget(): Promise<string> {
  await buildFrontend(WIDGET)
  return join(CHECKOUT, WIDGET.output)
}

async function buildFrontend({ folder }: Frontend): Promise<void> {
  const vite = join(CHECKOUT, 'node_modules/vite/bin/vite.js')
  await run(process.execPath, [vite, 'build', folder, '--logLevel', 'warn'], { cwd: CHECKOUT })
}

/** Builds the console and the widget if their sources are newer than the build. */
export async function ensureFrontends(log: Log): Promise<void> {
  for (const frontend of [WIDGET, CONSOLE]) {
    const output = join(CHECKOUT, frontend.output)
    if (existsSync(output) && statSync(output).mtimeMs >= findLatestChange(frontend)) continue
    const began = Date.now()
    await buildFrontend(frontend)
    log(frontend.name, `built in ${((Date.now() - began) / 1000).toFixed(1)} s`)
  }
}

/** Returns when a source file or folder last changed. Folder times also reveal removed files. */
function findLatestChange({ sources }: Frontend): number {
  const paths = sources.map(path => join(CHECKOUT, path))
  const times = paths.concat(paths.flatMap(listContents)).map(path => statSync(path).mtimeMs)
  return Math.max(...times)
}

const listContents = (path: string): string[] =>
  statSync(path).isDirectory()
    ? readdirSync(path, { recursive: true, encoding: 'utf8' }).map(name => join(path, name))
    : []
