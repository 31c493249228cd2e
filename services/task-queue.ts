import type { Client } from '@temporalio/client'
import proto from '@temporalio/proto'
import type { Temporal } from './temporal.ts'

/** A poll ends after at most one minute. A worker without a newer poll is not working. */
const MAX_SILENCE_MS = 90_000

const { TASK_QUEUE_TYPE_WORKFLOW } = proto.temporal.api.enums.v1.TaskQueueType

export interface TaskQueueRef {
  namespace: string
  taskQueue: string
}

/** Returns the time of the last poll by a worker in milliseconds, or 0. `host` limits it to workers of that host. */
export async function lastPollAt(
  { workflowService }: Pick<Client, 'workflowService'>,
  { namespace, taskQueue }: TaskQueueRef,
  host = '',
): Promise<number> {
  const { pollers } = await workflowService.describeTaskQueue({
    namespace,
    taskQueue: { name: taskQueue },
    taskQueueType: TASK_QUEUE_TYPE_WORKFLOW,
  })
  const own = (pollers ?? []).filter(({ identity }) => identity?.includes(host))
  return Math.max(0, ...own.map(({ lastAccessTime }) => toMilliseconds(lastAccessTime)))
}

const toMilliseconds = (time: proto.google.protobuf.ITimestamp | null | undefined): number =>
  Number(time?.seconds ?? 0) * 1_000 + (time?.nanos ?? 0) / 1e6

/** Throws when no worker has polled recently. */
export async function requireWorker(temporal: Temporal, host?: string): Promise<void> {
  const { taskQueue } = temporal
  const seen = await temporal.call(client =>
    lastPollAt(client, { namespace: client.options.namespace, taskQueue }, host),
  )
  if (seen < Date.now() - MAX_SILENCE_MS) throw new Error(`No worker has asked for work of "${taskQueue}" lately`)
}
