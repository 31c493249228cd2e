type States = Map<() => unknown, unknown>
const globals = globalThis as { ganglionRun?: States }

/**
 * Returns a getter for a value that exists once per run and is created on first use. The value is stored in a global:
 * all runs of a worker share this code's modules, and the SDK gives each run its own globals (ADR 0105).
 */
export function perRun<T>(create: () => T): () => T {
  return () => {
    const states: States = (globals.ganglionRun ??= new Map())
    if (!states.has(create)) states.set(create, create())
    return states.get(create) as T
  }
}
