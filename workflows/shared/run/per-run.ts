type States = Map<() => unknown, unknown>
const globals = globalThis as { ganglionRun?: States }

/**
 * Returns a function that gives what a run has one of, created when it is first asked for. It is held in a global: all runs of a
 * worker share the modules of this code, and the SDK gives each run globals of its own (ADR 0138).
 */
export function perRun<T>(create: () => T): () => T {
  return () => {
    const states: States = (globals.ganglionRun ??= new Map())
    if (!states.has(create)) states.set(create, create())
    return states.get(create) as T
  }
}
