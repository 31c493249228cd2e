import { setPriority } from 'node:os'

/** By the scale of Unix: 0 is normal, 19 is the lowest. */
const NICE = 10

/**
 * Lets work that people wait for go before that of a process; without `pid`, before that of the calling thread (on Linux).
 * Threads that it creates from now on, such as those of the garbage collector, have the low priority, too.
 */
export function lowerPriority(pid = 0): void {
  try {
    setPriority(pid, NICE)
  } catch {
    // The process has ended.
  }
}
