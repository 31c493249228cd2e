import { DefaultLogger, type LogEntry, makeTelemetryFilterString, Runtime } from '@temporalio/worker'
import { LRUCache } from 'lru-cache'
import type { Logger } from 'pino'

const LEVELS = { TRACE: 'trace', DEBUG: 'debug', INFO: 'info', WARN: 'warn', ERROR: 'error' } as const

/** Finds a run's job by the Temporal run id. */
type FindJobId = (runId: string) => Promise<string | undefined>

const MAX_KNOWN_RUNS = 1_000

/**
 * Makes Temporal's SDK, including its native part, log through pino, and serves the SDK's metrics if an address is
 * given. Must be called once, before any connection is opened. The SDK does not handle signals, because it would shut
 * down workers without the subsequent steps.
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

/** Names and units match those of the other metrics. */
const METRIC_NAMES = { countersTotalSuffix: true, unitSuffix: true, useSecondsForDurations: true }

function forward(log: Logger, { level, message, meta = {} }: LogEntry, findJobId: FindJobId): void {
  const { error, workflowId, taskToken: _token, ...rest } = meta as Record<string, unknown>
  const fields = Object.fromEntries(
    Object.entries(rest).map(([name, value]) => [NAMES[name] ?? toSnakeCase(name), value]),
  )
  const write = (job_id: unknown) => log[LEVELS[level]]({ ...fields, job_id, err: error }, message)
  // When the native part logs a failed workflow task, it includes only the run id.
  if (workflowId !== undefined || typeof rest.runId !== 'string') write(workflowId)
  else void findJobId(rest.runId).then(write)
}

/** Log fields that have another name in Temporal's SDK. */
const NAMES: Record<string, string> = { activityType: 'activity', workflowRunId: 'run_id' }

const toSnakeCase = (name: string) => name.replaceAll(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)

/** Caches the job id for each run. */
function rememberFound(findJobId: FindJobId): FindJobId {
  const jobIds = new LRUCache<string, string>({ max: MAX_KNOWN_RUNS })
  return async runId => {
    const jobId = jobIds.get(runId) ?? (await findJobId(runId))
    if (jobId !== undefined) jobIds.set(runId, jobId)
    return jobId
  }
}
