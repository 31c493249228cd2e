import { createHash } from 'node:crypto'
import { chmodSync, chownSync, mkdirSync, readFileSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import type { UserId } from './shell.ts'

/** The root folder of the checkout that contains this file. */
export const CHECKOUT = resolve(import.meta.dirname, '../..')

/** Returns the folder for installed components, which all checkouts share. Set `GANGLION_CACHE` to change it. */
export function cacheFolder(): string {
  const folder = process.env['GANGLION_CACHE']
  if (folder) return resolve(folder)
  return isRoot() ? '/var/cache/ganglion' : join(homedir(), '.cache/ganglion')
}

export const isRoot = (): boolean => process.getuid?.() === 0

/**
 * Returns the user for servers that refuse to run as root: `nobody` if this process runs as root, and otherwise
 * undefined.
 */
export function serverUser(): UserId | undefined {
  if (!isRoot()) return undefined
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find(entry => entry.startsWith('nobody:'))
  const [name, , uid, gid] = (line ?? '').split(':')
  if (!name) throw new Error('Create the user "nobody". Postgres and Elasticsearch refuse to run as root')
  return { name, uid: Number(uid), gid: Number(gid) }
}

/**
 * Returns the folder for the component data that belongs to a state directory. This is `<state directory>/data`,
 * unless the server user can't access it (because a parent folder has mode 0700). In that case, it is a folder next
 * to the cache, whose name is derived from `stateDir` and `instance`.
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

/** Creates a folder and makes the given user its owner. */
export function makeFolder(path: string, options: { mode?: number; user?: UserId } = {}): string {
  mkdirSync(path, { recursive: true, mode: 0o755 })
  if (options.mode !== undefined) chmodSync(path, options.mode)
  if (options.user) chownSync(path, options.user.uid, options.user.gid)
  return path
}
