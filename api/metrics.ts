import type { Logger } from 'pino'
import type { Config } from '../config/config.ts'
import { createBacklogMetrics } from '../observability/backlog-metrics.ts'
import { serveMetrics } from '../observability/metrics-server.ts'
import type { TextServer } from '../observability/text-server.ts'
import { createProviderMetrics } from '../observability/provider-metrics.ts'
import { createRegistry } from '../observability/registry.ts'
import { createRequestMetrics } from '../observability/request-metrics.ts'
import { createServiceMetrics, type ServiceSources } from '../observability/service-metrics.ts'
import { createDeliveryMetrics, createQueueMetrics, type StreamQueue } from '../observability/stream-metrics.ts'
import type { ReadBacklog } from '../services/shared/backlog.ts'

interface Sources extends ServiceSources {
  readBacklog: ReadBacklog
  /** Whether search is configured. */
  hasIndex: boolean
  measureQueue: () => StreamQueue
}

/**
 * Opens the API process's metrics server, if a port is configured. Its metrics include the backlog of all processes,
 * because the API also runs when no worker is running.
 */
export function openApiMetrics({ METRICS_PORT: port, METRICS_HOST: host }: Config, log: Logger) {
  if (port === undefined) return undefined
  const registry = createRegistry()
  return {
    requests: createRequestMetrics(registry),
    observeProviderCall: createProviderMetrics(registry),
    measureStreams: (countOpen: () => number) => createDeliveryMetrics(registry, countOpen),
    serve({ readBacklog, hasIndex, measureQueue, ...service }: Sources): Promise<TextServer> {
      createBacklogMetrics(registry, readBacklog, { hasIndex })
      createQueueMetrics(registry, measureQueue)
      createServiceMetrics(registry, service)
      return serveMetrics({ host, port, setting: 'METRICS_PORT', read: () => registry.metrics(), log })
    },
  }
}
