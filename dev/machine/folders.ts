import { createHash } from 'node:crypto'
import { chmodSync, chownSync, mkdirSync, readFileSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import type { UserId } from './shell.ts'

/** The checkout this file belongs to. */
export const CHECKOUT = resolve(import.meta.dirname, '../..')

/** Returns the folder of installed components, shared by all checkouts. `GANGLION_CACHE` overrides it. */
export function cacheFolder(): string {
  const folder = process.env['GANGLION_CACHE']
  if (folder) return resolve(folder)
  return isRoot() ? '/var/cache/ganglion' : join(homedir(), '.cache/ganglion')
}

export const isRoot = (): boolean => process.getuid?.() === 0

/** Returns the user for servers that refuse to run as root: `nobody` for root, undefined for other users. */
export function serverUser(): UserId | undefined {
  if (!isRoot()) return undefined
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find(entry => entry.startsWith('nobody:'))
  const [name, , uid, gid] = (line ?? '').split(':')
  if (!name) throw new Error('Running as root needs a user "nobody" for Postgres and Elasticsearch, which refuse root')
  return { name, uid: Number(uid), gid: Number(gid) }
}

/**
 * The folder for the components' data of one state directory. It is `<state directory>/data`, unless another user
 * could not enter it (a state directory under a 0700 folder): then it is beside the cache, under a name made from
 * `state directory` and `instance`.
 */
export function dataFolder(stateDir: string, instance: string): string {
  if (!isRoot() || isOpenToAll(stateDir)) return join(stateDir, 'data')
  const name = createHash('sha256').update(`${stateDir}\n${instance}`).digest('hex').slice(0, 16)
  return join(cacheFolder(), 'data', name)
}

function isOpenToAll(folder: string): boolean {
  if ((statSync(folder).mode & 0o001) === 0) return false
  return dirname(folder) === folder || isOpenToAll(dirname(folder))
}

/** Makes a folder and gives it to the user who is to work in it. */
export function makeFolder(path: string, options: { mode?: number; user?: UserId } = {}): string {
  mkdirSync(path, { recursive: true, mode: 0o755 })
  if (options.mode !== undefined) chmodSync(path, options.mode)
  if (options.user) chownSync(path, options.user.uid, options.user.gid)
  return path
}
