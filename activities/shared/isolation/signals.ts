/** An isolated process sends it to itself when it takes more memory than it may. */
export const OUT_OF_MEMORY_SIGNAL = 'SIGUSR2'

/** V8 ends a process with these when the heap is full or an array cannot be allocated. */
const ENGINE_GAVE_UP = new Set<NodeJS.Signals>(['SIGABRT', 'SIGTRAP', 'SIGILL'])
const CRASHED = new Set<NodeJS.Signals>(['SIGSEGV', 'SIGBUS', 'SIGFPE'])

export type Ending = 'memory' | 'crash' | 'lost'

/** Returns why a process ended without an answer. `lost`: its input did not cause it. */
export function classifyEnding(signal: NodeJS.Signals | null): Ending {
  if (signal === OUT_OF_MEMORY_SIGNAL || (signal && ENGINE_GAVE_UP.has(signal))) return 'memory'
  return signal && CRASHED.has(signal) ? 'crash' : 'lost'
}
