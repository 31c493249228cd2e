import { cpus } from 'node:os'

/** Minimum age of the processor times used for comparison, in milliseconds. */
const SAMPLE_MS = 100
const MAX_SAMPLE_MS = 1_000
/** A machine is busy if its fraction of idle time is below this value. */
const MIN_IDLE = 0.2

/** Returns a function that checks whether the machine's processors were almost fully used in the recent past. */
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

/** Returns the processor times since boot in milliseconds, summed over all processors. */
function readTimes(): { at: number; idle: number; all: number } {
  const times = cpus().map(cpu => cpu.times)
  const idle = times.reduce((sum, each) => sum + each.idle, 0)
  const all = times.reduce((sum, { user, nice, sys, irq }) => sum + user + nice + sys + irq, idle)
  return { at: performance.now(), idle, all }
}
