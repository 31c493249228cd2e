import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { CHECKOUT } from '../machine/folders.ts'
import { run } from '../machine/shell.ts'
import type { Log } from '../stack/log.ts'

const SOURCES = ['console', 'client/src', 'client/openapi.json', 'package-lock.json'].map(path => join(CHECKOUT, path))
const PAGE = join(CHECKOUT, 'build/console/index.html')

/** Builds the console into build/console, from where the API serves it. */
export async function buildConsole(): Promise<void> {
  const vite = join(CHECKOUT, 'node_modules/vite/bin/vite.js')
  await run(process.execPath, [vite, 'build', 'console', '--logLevel', 'warn'], { cwd: CHECKOUT })
}

/** Builds the console if the sources are newer than the build. */
export async function ensureConsole(log: Log): Promise<void> {
  if (existsSync(PAGE) && statSync(PAGE).mtimeMs >= findLatestChange()) return
  const began = Date.now()
  await buildConsole()
  log('console', `built in ${((Date.now() - began) / 1000).toFixed(1)} s`)
}

/** Returns when a source file or folder last changed. Folder times also reveal removed files. */
function findLatestChange(): number {
  const times = SOURCES.concat(SOURCES.flatMap(listContents)).map(path => statSync(path).mtimeMs)
  return Math.max(...times)
}

const listContents = (path: string): string[] =>
  statSync(path).isDirectory()
    ? readdirSync(path, { recursive: true, encoding: 'utf8' }).map(name => join(path, name))
    : []
