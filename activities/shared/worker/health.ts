import { hostname } from 'node:os'
import type { Logger } from 'pino'
import type { Config } from '../../../config/config.ts'
import { serveTexts, type TextReply, type TextServer } from '../../../observability/text-server.ts'
import { createRateLimitedProbe } from '../../../services/shared/rate-limited-probe.ts'
import { requireWorker } from '../../../services/shared/task-queue.ts'
import type { Temporal } from '../../../services/shared/temporal.ts'

interface HealthDeps {
  config: Pick<Config, 'WORKER_HEALTH_PORT' | 'WORKER_HEALTH_HOST'>
  temporal: Temporal
  /** Aborts when the worker stops. */
  stop: AbortSignal
  log: Logger
}

/** The name under which Temporal's SDK polls. */
const IDENTITY = `${process.pid}@${hostname()}`
const OK: TextReply = { status: 200, text: 'ok' }

/**
 * If a port is configured, serves `/live`, and `/ready`, which succeeds while this process polls Temporal and isn't
 * shutting down.
 */
export async function serveWorkerHealth({ config, temporal, stop, log }: HealthDeps): Promise<TextServer | undefined> {
  const { WORKER_HEALTH_PORT: port, WORKER_HEALTH_HOST: host } = config
  if (port === undefined) return undefined
  const isPolling = createRateLimitedProbe(
    () =>
      requireWorker(temporal, IDENTITY).then(
        () => true,
        () => false,
      ),
    false,
  )
  const checkReady = async (): Promise<TextReply> => {
    if (stop.aborted) return { status: 503, text: 'The worker is stopping' }
    return (await isPolling()) ? OK : { status: 503, text: 'The worker is not polling Temporal' }
  }
  const routes = { '/live': () => Promise.resolve(OK), '/ready': checkReady }
  return serveTexts({ name: 'health checks', host, port, setting: 'WORKER_HEALTH_PORT', routes, log })
}
