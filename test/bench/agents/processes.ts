import { readFile } from 'node:fs/promises'
import type { Stack } from '../../support/stack.ts'
import type { TestProcess } from '../../support/process.ts'

/** What a process has used so far, as Linux tells it. */
export interface Used {
  cpu_ms: number
  peak_mb: number
}

type Both = Record<'worker' | 'api', Used>

/** Ticks of /proc/<pid>/stat are hundredths of a second on every Linux. */
const MS_A_TICK = 10

export const usedBy = async ({ worker, api }: Stack): Promise<Both> => ({
  worker: await usedOf(worker),
  api: await usedOf(api),
})

async function usedOf({ child }: TestProcess): Promise<Used> {
  const read = (file: string) => readFile(`/proc/${child.pid}/${file}`, 'utf8')
  const [stat, status] = await Promise.all([read('stat'), read('status')])
  // Fields after the name, which is in brackets: user and system time are the 14th and 15th of all.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const ticks = Number(fields[11]) + Number(fields[12])
  const [, peak] = /VmHWM:\s+(\d+) kB/.exec(status) ?? []
  return { cpu_ms: ticks * MS_A_TICK, peak_mb: Number(peak) / 1_024 }
}

export const cpuBetween = (before: Both, after: Both): Record<keyof Both, number> => ({
  worker: after.worker.cpu_ms - before.worker.cpu_ms,
  api: after.api.cpu_ms - before.api.cpu_ms,
})
