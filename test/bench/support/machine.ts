import { cpus, loadavg, platform, release, totalmem } from 'node:os'

/** What the figures depend on. `load`: of the last minute, this bench not yet among it. */
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
