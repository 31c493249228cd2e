import { readFile } from 'node:fs/promises'
import { descendants } from '../../../dev/machine/process-table.ts'
import { STATE_DIR } from '../../../dev/stack/stack.ts'
import { readState } from '../../../dev/stack/state/state.ts'
import type { Stack } from '../../support/stack/stack.ts'

/** What a process has used so far, as Linux tells it. */
export interface Used {
  cpu_ms: number
  peak_mb: number
  /** At this moment. */
  resident_mb: number
}

/** By the name of the process or component: `worker`, `api`, `temporal`, `postgres`, `redis`. */
export type UsedByName = Named<Used>
type Named<T> = Record<'worker' | 'api', T> & Record<string, T>

/** Ticks of /proc/<pid>/stat are hundredths of a second on every Linux. */
const MS_A_TICK = 10
const COMPONENTS = ['temporal', 'postgres', 'redis', 'elasticsearch']

/** Components that run in containers, or elsewhere, are left out. */
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

/** Of a process and of all it started, those that have ended too: Postgres has a process for each connection. */
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
  // Fields after the name, which is in brackets: user and system time are the 14th and 15th of all, and then those of children.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const ticks = fields.slice(11, children ? 15 : 13).reduce((sum, field) => sum + Number(field), 0)
  const readMegabytes = (field: string) => Number(new RegExp(`${field}:\\s+(\\d+) kB`).exec(status)?.[1]) / 1_024
  return { cpu_ms: ticks * MS_A_TICK, peak_mb: readMegabytes('VmHWM'), resident_mb: readMegabytes('VmRSS') }
}

/** Returns the milliseconds of CPU that were used between two looks, by name. */
export const cpuBetween = (before: UsedByName, after: UsedByName): Named<number> =>
  Object.fromEntries(
    Object.entries(after).map(([name, { cpu_ms }]) => [name, cpu_ms - (before[name]?.cpu_ms ?? cpu_ms)]),
  ) as Named<number>
