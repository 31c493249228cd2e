import type { Client } from '@temporalio/client'
import { tsToMs } from '@temporalio/common/lib/time.js'
import proto from '@temporalio/proto'
import type { Temporal } from './temporal.ts'

/** A poll lasts at most one minute. A worker without a more recent poll is not working. */
const MAX_SILENCE_MS = 90_000

const { TaskQueueType, WorkerVersioningMode } = proto.temporal.api.enums.v1

type PollerInfo = proto.temporal.api.taskqueue.v1.IPollerInfo

export interface TaskQueueRef {
  namespace: string
  taskQueue: string
}

/** A worker's last poll, if it polled within the last few minutes. */
interface Poll {
  /** The worker, as `<process id>@<host>`. */
  worker: string
  /** Absent for workers without a build. */
  build?: string
  /** Unix time in milliseconds. */
  at: number
}

export interface QueuePolls {
  polls: Poll[]
  /** The build with which new runs start. Absent if new runs start on workers without a build. */
  current?: string
}

/** Reads which workers have polled the task queue for workflow tasks. */
export async function readPolls(
  { workflowService }: Pick<Client, 'workflowService'>,
  { namespace, taskQueue }: TaskQueueRef,
): Promise<QueuePolls> {
  const { pollers, versioningInfo } = await workflowService.describeTaskQueue({
    namespace,
    taskQueue: { name: taskQueue },
    taskQueueType: TaskQueueType.TASK_QUEUE_TYPE_WORKFLOW,
  })
  const polls = (pollers ?? []).map(readPoll)
  const current = versioningInfo?.currentDeploymentVersion?.buildId
  return { polls, ...(current && { current }) }
}

function readPoll({ identity, lastAccessTime, deploymentOptions: options }: PollerInfo): Poll {
  const poll = { worker: identity ?? '', at: lastAccessTime ? tsToMs(lastAccessTime) : 0 }
  const hasBuild = options?.workerVersioningMode === WorkerVersioningMode.WORKER_VERSIONING_MODE_VERSIONED
  return hasBuild ? { ...poll, build: options.buildId ?? '' } : poll
}

/** Returns the time of a worker's last poll in milliseconds, or 0 if there is none. */
export async function lastPollAt(client: Pick<Client, 'workflowService'>, queue: TaskQueueRef): Promise<number> {
  return findLatest((await readPolls(client, queue)).polls)
}

/**
 * Returns the time of the last poll by a worker with this build, or without a build if `build` is undefined. Returns
 * 0 if there is none.
 */
export const lastPollOf = ({ polls }: QueuePolls, build: string | undefined): number =>
  findLatest(polls.filter(poll => poll.build === build))

/** Counts the polling workers with this build, or without a build if `build` is undefined. */
export const countWorkers = ({ polls }: QueuePolls, build: string | undefined): number =>
  new Set(polls.filter(poll => poll.build === build && isRecent(poll.at)).map(({ worker }) => worker)).size

/** Throws if no worker that accepts new runs has polled recently. With an identity, only that worker counts. */
export async function requireWorker(temporal: Temporal, identity?: string): Promise<void> {
  const { taskQueue } = temporal
  const polls = await temporal.call(client => readPolls(client, { namespace: client.options.namespace, taskQueue }))
  const lastPoll =
    identity === undefined
      ? lastPollOf(polls, polls.current)
      : findLatest(polls.polls.filter(({ worker }) => worker === identity))
  if (isRecent(lastPoll)) return
  const workerName =
    identity === undefined && polls.current !== undefined ? `worker of build ${polls.current}` : 'worker'
  throw new Error(`No ${workerName} has polled "${taskQueue}" recently`)
}

const findLatest = (polls: Poll[]): number => Math.max(0, ...polls.map(({ at }) => at))

const isRecent = (at: number): boolean => at >= Date.now() - MAX_SILENCE_MS
