import { setTimeout as sleep } from 'node:timers/promises'
import { type InjectedSinks, NativeConnection, Worker, type WorkerOptions } from '@temporalio/worker'
import type { Logger } from 'pino'
import { type Config, readDeployment } from '../../../config/config.ts'
import { readTemporalCredentials } from '../../../services/shared/temporal.ts'
import type { Database } from '../../../data/shared/database.ts'
import type { Tracing } from '../../../observability/tracing.ts'
import type { TracingSinks } from '../../../workflows/shared/tracing.ts'
import type { Activities } from '../../types.ts'
import { buildConsoleRunsUrl } from '../../../domain/shared/console-link.ts'
import { BUSY_RUN_GAP_MS, createWorkPace } from '../../../domain/shared/fairness/work-pace.ts'
import { watchProcessors } from '../../../observability/fairness/processors.ts'
import { nameRequests, convertFailures, traceActivities } from './interceptors.ts'
import { linkChildRuns, paceChildRuns } from './fairness/pace-child-runs.ts'
import { BUSY_STEP_GAP_MS, paceSteps } from './fairness/pace-steps.ts'
import { registerSearchAttributes } from '../../../services/shared/search-attributes.ts'
import { createWorkspaceShares } from './fairness/workspace-shares.ts'

export interface PollingDeps {
  config: Config
  activities: Activities
  workflowBundle: { code: string }
  dataConverter: WorkerOptions['dataConverter']
  db: Pick<Database, 'inRequest'>
  tracing?: Tracing
  log: Logger
}

const FIRST_WAIT_MS = 200
const MAX_WAIT_MS = 5_000
/** The backoff is reset if a worker has run for this long. */
const WELL_MS = 60_000

/**
 * Polls the task queue until the signal aborts, then returns unfinished work. Retries while Temporal is unavailable,
 * and replaces a failed worker. Resolves when no work is in progress.
 */
export async function pollUntil(stop: AbortSignal, deps: PollingDeps): Promise<void> {
  for (let wait = FIRST_WAIT_MS; !stop.aborted; wait = Math.min(wait * 2, MAX_WAIT_MS)) {
    const since = Date.now()
    try {
      await pollOnce(stop, deps)
    } catch (err) {
      deps.log.warn({ err, retry_ms: wait }, 'polling failed; retrying')
      if (Date.now() - since > WELL_MS) wait = FIRST_WAIT_MS
      await sleep(wait, undefined, { signal: stop }).catch(() => undefined)
    }
  }
}

async function pollOnce(stop: AbortSignal, deps: PollingDeps): Promise<void> {
  const { config } = deps
  const connection = await NativeConnection.connect({
    address: config.TEMPORAL_ADDRESS,
    ...readTemporalCredentials(config),
  })
  try {
    if (config.CREATE_SEARCH_ATTRIBUTES) await registerSearchAttributes(connection, config.TEMPORAL_NAMESPACE)
    const worker = await Worker.create(workerOptions(connection, deps))
    const shutDown = () => worker.shutdown()
    const running = worker.run()
    if (stop.aborted) shutDown()
    else stop.addEventListener('abort', shutDown, { once: true })
    const { TEMPORAL_TASK_QUEUE: task_queue } = config
    const { buildId: build } = readDeployment(config)
    deps.log.info({ task_queue, ...(build !== undefined && { build }) }, 'worker is ready')
    await running.finally(() => stop.removeEventListener('abort', shutDown))
  } finally {
    await connection.close()
  }
}

/**
 * Number of polls for the first task of a run, or of a run that no worker has cached. These polls have precedence
 * over later tasks, so that a new run does not wait for runs in progress. Each poll occupies a slot while it waits.
 */
const NEW_RUN_POLLS = 18
/**
 * Number of polls for the next tasks of cached runs. A single poll reduces throughput, and more than two do not
 * increase it.
 */
const CACHED_RUN_POLLS = 2

function workerOptions(connection: NativeConnection, deps: PollingDeps): WorkerOptions {
  const { config, activities, workflowBundle, dataConverter } = deps
  const shutdownMs = config.SHUTDOWN_SECONDS * 1_000
  const isBusy = watchProcessors()
  return {
    connection,
    namespace: config.TEMPORAL_NAMESPACE,
    taskQueue: config.TEMPORAL_TASK_QUEUE,
    ...buildDeploymentOptions(config),
    workflowBundle,
    dataConverter,
    activities,
    interceptors: {
      activity: [
        traceActivities,
        convertFailures(deps.log),
        createWorkspaceShares(config.WORKER_ACTIVITIES),
        paceSteps(createWorkPace(isBusy, { busyMs: BUSY_STEP_GAP_MS })),
        paceChildRuns(createWorkPace(isBusy, { busyMs: BUSY_RUN_GAP_MS })),
        ...(config.BASE_URL ? [linkChildRuns(buildConsoleRunsUrl(config.BASE_URL))] : []),
        nameRequests(deps.db),
      ],
    },
    sinks: createSinks(deps.tracing),
    reuseV8Context: true,
    maxConcurrentWorkflowTaskExecutions: NEW_RUN_POLLS + config.WORKER_WORKFLOW_TASKS,
    workflowTaskPollerBehavior: { type: 'simple-maximum', maximum: NEW_RUN_POLLS + CACHED_RUN_POLLS },
    maxCachedWorkflows: config.WORKER_CACHED_RUNS,
    nonStickyToStickyPollRatio: NEW_RUN_POLLS / (NEW_RUN_POLLS + CACHED_RUN_POLLS),
    maxConcurrentActivityTaskExecutions: config.WORKER_ACTIVITIES,
    maxConcurrentLocalActivityExecutions: config.WORKER_ACTIVITIES,
    // An activity learns of its cancellation from the response to a heartbeat.
    defaultHeartbeatThrottleInterval: '1s',
    maxHeartbeatThrottleInterval: '1s',
    // Runs of a killed worker wait this long before another worker continues them.
    stickyQueueScheduleToStartTimeout: '5s',
    // Activities get half of the time to finish. The other half is for reporting activities that are returned.
    shutdownGraceTime: shutdownMs / 2,
    shutdownForceTime: shutdownMs,
  }
}

/** A worker with a build gets new runs if its build is current, and keeps the runs that started with that build. */
function buildDeploymentOptions(config: Config): Pick<WorkerOptions, 'workerDeploymentOptions'> {
  const { deploymentName, buildId } = readDeployment(config)
  if (buildId === undefined) return {}
  return {
    workerDeploymentOptions: {
      version: { deploymentName, buildId },
      useWorkerVersioning: true,
      defaultVersioningBehavior: 'PINNED',
    },
  }
}

/** A worker without tracing receives the spans of runs that another process traces, and drops them. */
const createSinks = (tracing: Tracing | undefined): InjectedSinks<TracingSinks> => ({
  tracing: { exportRun: { fn: (_info, span) => tracing?.exportRun(span) } },
})
