/** With which a process ends itself when it takes more memory than it may; nobody else sends it. */
export const OUT_OF_MEMORY_SIGNAL = 'SIGUSR2'

/** How V8 ends a process whose heap is full, or that asks for an array it can not have. */
const ENGINE_GAVE_UP = new Set<NodeJS.Signals>(['SIGABRT', 'SIGTRAP', 'SIGILL'])
const CRASHED = new Set<NodeJS.Signals>(['SIGSEGV', 'SIGBUS', 'SIGFPE'])

export type Ending = 'memory' | 'crash' | 'lost'

/** What became of a process that ended without an answer. `lost`: by no fault of the document. */
export function endingOf(signal: NodeJS.Signals | null): Ending {
  if (signal === OUT_OF_MEMORY_SIGNAL || (signal && ENGINE_GAVE_UP.has(signal))) return 'memory'
  return signal && CRASHED.has(signal) ? 'crash' : 'lost'
}
