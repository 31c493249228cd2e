import { collectDefaultMetrics, Registry } from 'prom-client'

/** Creates a process's registry, with Node metrics: CPU, memory, event loop and garbage collection. */
export function createRegistry(): Registry {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  return registry
}
