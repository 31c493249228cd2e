import { collectDefaultMetrics, Registry } from 'prom-client'

/** Creates the registry of a process, with the metrics of Node: CPU, memory, event loop, garbage collection. */
export function createRegistry(): Registry {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  return registry
}
