import { DefaultLogger, type LogEntry, makeTelemetryFilterString, Runtime } from '@temporalio/worker'
import type { Logger } from 'pino'

const LEVELS = { TRACE: 'trace', DEBUG: 'debug', INFO: 'info', WARN: 'warn', ERROR: 'error' } as const

/**
 * Lets Temporal's SDK, its native part too, log through pino. Must be called once, before anything connects. Signals
 * stay ours: the SDK would shut workers down by itself, without what has to follow.
 */
export function installTemporalLog(log: Logger): void {
  const own = log.child({ component: 'temporal' })
  Runtime.install({
    shutdownSignals: [],
    logger: new DefaultLogger('INFO', entry => forward(own, entry)),
    telemetryOptions: { logging: { filter: makeTelemetryFilterString({ core: 'WARN', other: 'ERROR' }), forward: {} } },
  })
}

function forward(log: Logger, { level, message, meta = {} }: LogEntry): void {
  const { error, workflowId, taskToken: _token, ...rest } = meta as Record<string, unknown>
  log[LEVELS[level]]({ ...rest, job_id: workflowId, err: error }, message)
}
