import type { Client } from '@temporalio/client'
import { tsToMs } from '@temporalio/common/lib/time.js'
import proto from '@temporalio/proto'
import type { Temporal } from './temporal.ts'

/** A poll ends after at most one minute. A worker without a newer poll is not working. */
const MAX_SILENCE_MS = 90_000

const { TaskQueueType, WorkerVersioningMode } = proto.temporal.api.enums.v1

type PollerInfo = proto.temporal.api.taskqueue.v1.IPollerInfo

export interface TaskQueueRef {
  namespace: string
  taskQueue: string
}

/** The last poll of a worker that did so within some minutes. */
interface Poll {
  /** `<process id>@<host>` of the worker. */
  worker: string
  /** Absent for workers without one. */
  build?: string
  /** Milliseconds of Unix time. */
  at: number
}

export interface QueuePolls {
  polls: Poll[]
  /** The build with which new runs begin. Absent while they begin with workers that have none. */
  current?: string
}

/** Reads who has polled the task queue for workflow tasks. */
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

/** Returns the time of the last poll by a worker in milliseconds, or 0. */
export async function lastPollAt(client: Pick<Client, 'workflowService'>, queue: TaskQueueRef): Promise<number> {
  return findLatest((await readPolls(client, queue)).polls)
}

/** Returns the time of the last poll by a worker of this build, or of those without one; 0 if there is none. */
export const lastPollOf = ({ polls }: QueuePolls, build: string | undefined): number =>
  findLatest(polls.filter(poll => poll.build === build))

/** Returns how many workers of this build, or of those without one, poll. */
export const countWorkers = ({ polls }: QueuePolls, build: string | undefined): number =>
  new Set(polls.filter(poll => poll.build === build && isRecent(poll.at)).map(({ worker }) => worker)).size

/** Throws when no worker that takes new runs has polled recently; with a host, when none of that host has. */
export async function requireWorker(temporal: Temporal, host?: string): Promise<void> {
  const { taskQueue } = temporal
  const polls = await temporal.call(client => readPolls(client, { namespace: client.options.namespace, taskQueue }))
  const lastPoll =
    host === undefined
      ? lastPollOf(polls, polls.current)
      : findLatest(polls.polls.filter(({ worker }) => worker.includes(host)))
  if (isRecent(lastPoll)) return
  const workerName =
    host === undefined && polls.current !== undefined ? `worker of the build ${polls.current}` : 'worker'
  throw new Error(`No ${workerName} has asked for work of "${taskQueue}" lately`)
}

const findLatest = (polls: Poll[]): number => Math.max(0, ...polls.map(({ at }) => at))

const isRecent = (at: number): boolean => at >= Date.now() - MAX_SILENCE_MS
