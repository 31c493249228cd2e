import { WorkflowUpdateFailedError } from '@temporalio/client'
import { ApplicationFailure, type UpdateDefinition } from '@temporalio/common'
import type { Temporal } from '../temporal.ts'

/** An update waits this long for a worker. A repeat with the same id is done once. */
const UPDATE_TIMEOUT_MS = 10_000

/** Sends an update to a run, and returns the reply. Throws what `findRefusal` reads when the run refuses it. */
export const sendUpdate = <Reply, Input>(
  temporal: Temporal,
  jobId: string,
  update: UpdateDefinition<Reply, [Input]>,
  input: Input,
  updateId: string,
): Promise<Reply> =>
  temporal.call(() => temporal.handle(jobId).executeUpdate(update, { args: [input], updateId }), UPDATE_TIMEOUT_MS)

/** The failure with which a run refused an update. */
export const findRefusal = (error: unknown): ApplicationFailure | undefined =>
  error instanceof WorkflowUpdateFailedError && error.cause instanceof ApplicationFailure ? error.cause : undefined
