import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, readdirSync, readlinkSync } from 'node:fs'
import { basename } from 'node:path'
import type { ProcessId } from './process.ts'

interface Row extends ProcessId {
  parent: number
  name: string
}

const BOOT_ID = '/proc/sys/kernel/random/boot_id'

/** Returns the process that currently has this pid, or undefined if there is no such process or it is a zombie. */
export function identify(pid: number): ProcessId | undefined {
  const row = readRow(pid)
  return row && { pid: row.pid, started: row.started }
}

/**
 * Returns the program name for a pid: the name of the executable if readable, otherwise the name that the process
 * reports.
 */
export function programName(pid: number): string | undefined {
  try {
    return basename(readlinkSync(`/proc/${pid}/exe`))
  } catch {
    return readRow(pid)?.name
  }
}

/** Returns the direct child processes of a process. */
export const children = (pid: number): ProcessId[] =>
  listRows()
    .filter(({ parent }) => parent === pid)
    .map(({ pid, started }) => ({ pid, started }))

/** Returns all direct and indirect child processes. Omits those whose parent has ended. */
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

/**
 * Linux only: in /proc/<pid>/stat, field 3 is the state, field 4 the parent, and field 22 the start time in ticks
 * since boot.
 */
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

/** Reads the row with `ps`, on systems without `/proc`. The start time is accurate only to the second. */
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
