import type { Logger } from 'pino'
import type { Config } from '../../../config/config.ts'
import { hasNamespaces } from '../../../config/namespaces.ts'
import { serveMetrics } from '../../../observability/metrics-server.ts'
import type { TextServer } from '../../../observability/text-server.ts'
import { createProviderMetrics } from '../../../observability/provider-metrics.ts'
import { createRegistry } from '../../../observability/registry.ts'
import {
  createProjectionMetrics,
  createQueueMetrics,
  createReaderMetrics,
  createRunMetrics,
  type StreamQueue,
} from '../../../observability/stream-metrics.ts'
import { openTemporalMetrics } from '../../../observability/temporal-metrics.ts'

interface Sources {
  measureQueue: () => StreamQueue
  countPendingProjections: () => number
}

/** If a port is configured, serves the worker process's metrics, including those of Temporal's SDK. */
export async function openWorkerMetrics({ WORKER_METRICS_PORT: port, METRICS_HOST: host }: Config, log: Logger) {
  if (port === undefined) return undefined
  const registry = createRegistry()
  const temporal = await openTemporalMetrics(log)
  const read = async () => (await Promise.all([registry.metrics(), temporal.read()])).join('\n')
  return {
    temporal,
    countEndedRun: createRunMetrics(registry),
    observeProviderCall: createProviderMetrics(registry),
    serve({ measureQueue, countPendingProjections }: Sources): Promise<TextServer> {
      createQueueMetrics(registry, measureQueue)
      createProjectionMetrics(registry, countPendingProjections)
      createReaderMetrics(registry, hasNamespaces)
      return serveMetrics({ host, port, setting: 'WORKER_METRICS_PORT', read, log })
    },
  }
}
