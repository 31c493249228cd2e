/** An isolated process sends this signal to itself when it exceeds its memory limit. */
export const OUT_OF_MEMORY_SIGNAL = 'SIGUSR2'

/** V8 terminates a process with these signals if the heap is full or an array cannot be allocated. */
const ENGINE_GAVE_UP = new Set<NodeJS.Signals>(['SIGABRT', 'SIGTRAP', 'SIGILL'])
const CRASHED = new Set<NodeJS.Signals>(['SIGSEGV', 'SIGBUS', 'SIGFPE'])

export type Ending = 'memory' | 'crash' | 'lost'

/** Classifies why a process ended without an answer. `lost` means that the process's input was not the cause. */
export function classifyEnding(signal: NodeJS.Signals | null): Ending {
  if (signal === OUT_OF_MEMORY_SIGNAL || (signal && ENGINE_GAVE_UP.has(signal))) return 'memory'
  return signal && CRASHED.has(signal) ? 'crash' : 'lost'
}
