import { cpus } from 'node:os'

/** Age of the times of the processors that the present ones are compared with. */
const SAMPLE_MS = 100
const MAX_SAMPLE_MS = 1_000
/** Below this share of idle time a machine is busy. */
const MIN_IDLE = 0.2

/** Returns a function that tells whether the processors of the machine had next to no idle time lately. */
export function watchProcessors(): () => boolean {
  let sample = readTimes()
  let isBusy = false
  return () => {
    if (performance.now() - sample.at < SAMPLE_MS) return isBusy
    const now = readTimes()
    const idle = (now.idle - sample.idle) / (now.all - sample.all)
    isBusy = now.at - sample.at < MAX_SAMPLE_MS && idle < MIN_IDLE
    sample = now
    return isBusy
  }
}

/** Returns milliseconds of all processors since the machine was started. */
function readTimes(): { at: number; idle: number; all: number } {
  const times = cpus().map(cpu => cpu.times)
  const idle = times.reduce((sum, each) => sum + each.idle, 0)
  const all = times.reduce((sum, { user, nice, sys, irq }) => sum + user + nice + sys + irq, idle)
  return { at: performance.now(), idle, all }
}
