import { readFile } from 'node:fs/promises'
import { descendants } from '../../../dev/machine/process-table.ts'
import { STATE_DIR } from '../../../dev/stack/stack.ts'
import { readState } from '../../../dev/stack/state/state.ts'
import type { Stack } from '../../support/stack/stack.ts'

/** The resource usage of a process, as reported by Linux. */
export interface Used {
  cpu_ms: number
  peak_mb: number
  /** The current value, not a total. */
  resident_mb: number
}

/** By process or component name: `worker`, `api`, `temporal`, `postgres`, `redis`. */
export type UsedByName = Named<Used>
type Named<T> = Record<'worker' | 'api', T> & Record<string, T>

/** Ticks in /proc/<pid>/stat are hundredths of a second on every Linux system. */
const MS_A_TICK = 10
const COMPONENTS = ['temporal', 'postgres', 'redis', 'elasticsearch']

/** Omits components that run in containers or elsewhere. */
export async function usedBy({ worker, api }: Stack): Promise<UsedByName> {
  const { running } = readState(STATE_DIR)
  const components = COMPONENTS.flatMap(name => {
    const pid = running[name]?.process?.pid
    return pid === undefined ? [] : [[name, pid] as const]
  })
  const used = await Promise.all(components.map(async ([name, pid]) => [name, await usedByTree(pid)] as const))
  return {
    ...Object.fromEntries(used),
    worker: await usedByProcess(worker.child.pid ?? 0),
    api: await usedByProcess(api.child.pid ?? 0),
  }
}

/**
 * The usage of a process and all its descendants, including descendants that have ended, because Postgres has a
 * process per connection.
 */
export async function usedByTree(pid: number): Promise<Used> {
  const pids = [pid, ...descendants(pid).map(child => child.pid)]
  const parts = await Promise.all(pids.map(each => usedByProcess(each, 'with ended children').catch(() => NOTHING)))
  return {
    cpu_ms: parts.reduce((sum, { cpu_ms }) => sum + cpu_ms, 0),
    peak_mb: parts.reduce((sum, { peak_mb }) => sum + peak_mb, 0),
    resident_mb: parts.reduce((sum, { resident_mb }) => sum + resident_mb, 0),
  }
}

const NOTHING: Used = { cpu_ms: 0, peak_mb: 0, resident_mb: 0 }

async function usedByProcess(pid: number, children?: 'with ended children'): Promise<Used> {
  const read = (file: string) => readFile(`/proc/${pid}/${file}`, 'utf8')
  const [stat, status] = await Promise.all([read('stat'), read('status')])
  // The fields after the name in parentheses. User and system time are fields 14 and 15, followed by the times of
  // child processes.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const ticks = fields.slice(11, children ? 15 : 13).reduce((sum, field) => sum + Number(field), 0)
  const readMegabytes = (field: string) => Number(new RegExp(`${field}:\\s+(\\d+) kB`).exec(status)?.[1]) / 1_024
  return { cpu_ms: ticks * MS_A_TICK, peak_mb: readMegabytes('VmHWM'), resident_mb: readMegabytes('VmRSS') }
}

/** Returns the CPU milliseconds used between two measurements, by name. */
export const cpuBetween = (before: UsedByName, after: UsedByName): Named<number> =>
  Object.fromEntries(
    Object.entries(after).map(([name, { cpu_ms }]) => [name, cpu_ms - (before[name]?.cpu_ms ?? cpu_ms)]),
  ) as Named<number>
