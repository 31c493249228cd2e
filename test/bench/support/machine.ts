import { cpus, loadavg, platform, release, totalmem } from 'node:os'

/** The environment of the measurement. `load` is the load average for the last minute before the benchmark. */
export interface Machine {
  cores: number
  cpu: string
  memory_gb: number
  system: string
  node: string
  load: number
}

export function machineFacts(): Machine {
  const [first] = cpus()
  return {
    cores: cpus().length,
    cpu: first?.model.trim() ?? 'unknown',
    memory_gb: Math.round(totalmem() / 2 ** 30),
    system: `${platform()} ${release()}`,
    node: process.version,
    load: Number(loadavg()[0]?.toFixed(1)),
  }
}
