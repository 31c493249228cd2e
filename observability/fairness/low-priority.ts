import { setPriority } from 'node:os'

/** Unix niceness: 0 is normal, 19 is the lowest priority. */
const NICE = 10

/**
 * Lowers the priority of a process, or of the calling thread if `pid` is omitted (on Linux), so that interactive work
 * runs first. Threads created later, such as garbage collector threads, inherit the priority.
 */
export function lowerPriority(pid = 0): void {
  try {
    setPriority(pid, NICE)
  } catch {
    // The process has already ended.
  }
}
