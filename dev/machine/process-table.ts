import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, readdirSync, readlinkSync } from 'node:fs'
import { basename } from 'node:path'
import type { ProcessId } from './process.ts'

interface Row extends ProcessId {
  parent: number
  name: string
}

const BOOT_ID = '/proc/sys/kernel/random/boot_id'

/** The process that has this pid now; undefined when there is none, or only a zombie. */
export function identify(pid: number): ProcessId | undefined {
  const row = readRow(pid)
  return row && { pid: row.pid, started: row.started }
}

/** The name of the program that runs under this pid: of its file where that may be seen, else what it calls itself. */
export function programName(pid: number): string | undefined {
  try {
    return basename(readlinkSync(`/proc/${pid}/exe`))
  } catch {
    return readRow(pid)?.name
  }
}

/** The processes that a process started directly. */
export const children = (pid: number): ProcessId[] =>
  listRows()
    .filter(({ parent }) => parent === pid)
    .map(({ pid, started }) => ({ pid, started }))

/** Everything a process started, directly or not, while the chain of parents still shows it. */
export function descendants(pid: number): ProcessId[] {
  const rows = listRows()
  const processes: ProcessId[] = []
  const look = [pid]
  for (const parent of look) {
    for (const row of rows) {
      if (row.parent !== parent) continue
      processes.push({ pid: row.pid, started: row.started })
      look.push(row.pid)
    }
  }
  return processes
}

const listRows = (): Row[] => allPids().flatMap(each => readRow(each) ?? [])

function allPids(): number[] {
  if (!existsSync(BOOT_ID)) return ps(['-A', '-o', 'pid=']).map(Number)
  return readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .map(Number)
}

function readRow(pid: number): Row | undefined {
  return existsSync(BOOT_ID) ? readProc(pid) : readPs(pid)
}

/** Linux: field 3 of /proc/<pid>/stat is the state, 4 the parent, 22 the start in ticks since boot. */
function readProc(pid: number): Row | undefined {
  let stat
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  } catch {
    return undefined
  }
  const name = stat.slice(stat.indexOf('(') + 1, stat.lastIndexOf(')'))
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  if (fields[0] === 'Z' || fields[0] === 'X') return undefined
  return { pid, name, parent: Number(fields[1]), started: `${fields[19]}@${readFileSync(BOOT_ID, 'utf8').trim()}` }
}

/** Reads the row with `ps`, for systems without `/proc`. Its start time is exact to the second. */
function readPs(pid: number): Row | undefined {
  const [line] = ps(['-p', String(pid), '-o', 'ppid=,state=,lstart=,comm='])
  const match = /^\s*(\d+)\s+(\S+)\s+(\S+\s+\S+\s+\S+\s+\S+\s+\S+)\s+(.*)$/.exec(line ?? '')
  if (!match || match[2]?.startsWith('Z')) return undefined
  return { pid, name: match[4] ?? '', parent: Number(match[1]), started: match[3] ?? '' }
}

function ps(args: string[]): string[] {
  try {
    return execFileSync('ps', args, { encoding: 'utf8', timeout: 5000 }).split('\n').filter(Boolean)
  } catch {
    return []
  }
}
