import { DefaultLogger, type LogEntry, makeTelemetryFilterString, Runtime } from '@temporalio/worker'
import { LRUCache } from 'lru-cache'
import type { Logger } from 'pino'

const LEVELS = { TRACE: 'trace', DEBUG: 'debug', INFO: 'info', WARN: 'warn', ERROR: 'error' } as const

/** Finds the job of a run by Temporal's run id. */
type FindJobId = (runId: string) => Promise<string | undefined>

const MAX_KNOWN_RUNS = 1_000

/**
 * Makes Temporal's SDK, including its native part, log through pino, and serve its metrics at an address if one is given.
 * Must be called once, before any connection. The SDK handles no signals: it would shut workers down without the steps that
 * have to follow.
 */
export function installTemporalRuntime(
  log: Logger,
  findJobId: FindJobId,
  metrics?: { host: string; port: number },
): void {
  const temporalLog = log.child({ component: 'temporal' })
  const findOnce = rememberFound(findJobId)
  Runtime.install({
    shutdownSignals: [],
    logger: new DefaultLogger('INFO', entry => forward(temporalLog, entry, findOnce)),
    telemetryOptions: {
      logging: { filter: makeTelemetryFilterString({ core: 'WARN', other: 'ERROR' }), forward: {} },
      ...(metrics && { metrics: { prometheus: { bindAddress: `${metrics.host}:${metrics.port}`, ...METRIC_NAMES } } }),
    },
  })
}

/** Names and units as in the other metrics. */
const METRIC_NAMES = { countersTotalSuffix: true, unitSuffix: true, useSecondsForDurations: true }

function forward(log: Logger, { level, message, meta = {} }: LogEntry, findJobId: FindJobId): void {
  const { error, workflowId, taskToken: _token, ...rest } = meta as Record<string, unknown>
  const write = (job_id: unknown) => log[LEVELS[level]]({ ...rest, job_id, err: error }, message)
  // The native part logs failed workflow tasks with the run id only.
  if (workflowId !== undefined || typeof rest.runId !== 'string') write(workflowId)
  else void findJobId(rest.runId).then(write)
}

/** Looks each run up once. */
function rememberFound(findJobId: FindJobId): FindJobId {
  const jobIds = new LRUCache<string, string>({ max: MAX_KNOWN_RUNS })
  return async runId => {
    const jobId = jobIds.get(runId) ?? (await findJobId(runId))
    if (jobId !== undefined) jobIds.set(runId, jobId)
    return jobId
  }
}
