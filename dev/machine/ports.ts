import { randomInt } from 'node:crypto'
import { mkdirSync, readFileSync, readdirSync, readlinkSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { identify, programName } from './process-table.ts'

const HIGHEST = 65_535
/**
 * Ports below the range that operating systems use for outgoing connections. Such a connection could take the port of
 * a restarting server.
 */
const [FIRST_OF_SERVERS, LAST_OF_SERVERS] = [20_000, 30_000]

/** Returns true if a server can listen on this port on the loopback address. */
export function isFree(port: number): Promise<boolean> {
  return new Promise(resolve => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => server.close(() => resolve(true)))
  })
}

const FREE_WITHIN_MS = 15_000
const BETWEEN_LOOKS_MS = 100

/**
 * Waits up to a few seconds until a port is free, because the child processes of a killed server may hold it for a
 * while.
 */
export async function untilFree(port: number): Promise<void> {
  const until = Date.now() + FREE_WITHIN_MS
  while (!(await isFree(port)) && Date.now() < until) await sleep(BETWEEN_LOOKS_MS)
}

/** Folder with one file per port. The file contains the id of the process that chose the port. */
const CLAIMS = join(tmpdir(), `ganglion-ports-${userInfo().uid}`)

/**
 * Claims a port for the lifetime of this process, so that no other process chooses the port while a server starts or
 * restarts. Returns false if another process has already claimed the port.
 */
function claim(port: number): boolean {
  const file = join(CLAIMS, String(port))
  mkdirSync(CLAIMS, { recursive: true })
  const holder = Number(quietly(() => readFileSync(file, 'utf8')) ?? 0)
  if (holder === process.pid) return true
  if (holder > 0) {
    if (identify(holder)) return false
    rmSync(file, { force: true })
  }
  return succeeds(() => writeFileSync(file, String(process.pid), { flag: 'wx' }))
}

/**
 * Claims and returns the first free port, starting at `preferredPort`, that is not in `usedPorts`. Without
 * `preferredPort`, starts at a random port.
 */
export async function nextFree(preferredPort?: number, usedPorts: ReadonlySet<number> = new Set()): Promise<number> {
  const first = preferredPort ?? randomInt(FIRST_OF_SERVERS, LAST_OF_SERVERS)
  for (let port = first; port < first + 1000 && port <= HIGHEST; port++) {
    if (!usedPorts.has(port) && (await isFree(port)) && claim(port)) return port
  }
  throw new Error(`No free port from ${first} upwards`)
}

/** Returns the process that listens on a port, such as `redis-server (pid 812)`, as far as this user can see it. */
export function portHolder(port: number): string {
  const inode = listeningInode(port)
  const pid = inode && pidWithSocket(inode)
  if (!pid) return 'another process'
  return `${programName(pid) ?? 'a process'} (pid ${pid})`
}

/** Linux only: returns the inode of the socket that listens on the port (state 0A in /proc/net/tcp*). */
function listeningInode(port: number): string | undefined {
  const suffix = `:${port.toString(16).toUpperCase().padStart(4, '0')}`
  for (const table of ['/proc/net/tcp', '/proc/net/tcp6']) {
    for (const line of readLines(table)) {
      const fields = line.trim().split(/\s+/)
      if (fields[1]?.endsWith(suffix) && fields[3] === '0A') return fields[9]
    }
  }
  return undefined
}

function pidWithSocket(inode: string): number | undefined {
  const pids = list('/proc').filter(name => /^\d+$/.test(name))
  const holder = pids.find(pid =>
    list(`/proc/${pid}/fd`).some(fd => link(`/proc/${pid}/fd/${fd}`) === `socket:[${inode}]`),
  )
  return holder === undefined ? undefined : Number(holder)
}

const readLines = (path: string): string[] => quietly(() => readFileSync(path, 'utf8').split('\n')) ?? []
const list = (path: string): string[] => quietly(() => readdirSync(path)) ?? []
const link = (path: string): string | undefined => quietly(() => readlinkSync(path))

function succeeds(work: () => void): boolean {
  try {
    work()
    return true
  } catch {
    return false
  }
}

/** Returns undefined if the read fails. Processes may end during a read, and this user can't read all of them. */
function quietly<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}
