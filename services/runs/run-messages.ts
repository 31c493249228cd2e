import { WorkflowUpdateFailedError } from '@temporalio/client'
import { ApplicationFailure, type UpdateDefinition } from '@temporalio/common'
import type { Temporal } from '../shared/temporal.ts'
import { setTimeout as pause } from 'node:timers/promises'
import { Claimed, Forbidden, ValidationError } from '../../domain/shared/errors.ts'
import { INVALID_INPUT, NOT_ASKED } from '../../workflows/shared/run/messages.ts'

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
export const findUpdateFailure = (error: unknown): ApplicationFailure | undefined =>
  error instanceof WorkflowUpdateFailedError && error.cause instanceof ApplicationFailure ? error.cause : undefined

/** An intervention that the run does not know may be opened soon, when the run is replayed after a crash. */
const MAX_ATTEMPTS = 5
const RETRY_MS = 200

/** Sends an update about an intervention to its run. Throws what `toRefusal` converts when the run refuses it. */
export async function sendWhenAsked<Reply, Input>(
  temporal: Temporal,
  jobId: string,
  update: UpdateDefinition<Reply, [Input]>,
  input: Input,
  updateId: string,
): Promise<Reply> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await sendUpdate(temporal, jobId, update, input, updateId)
    } catch (error) {
      if (attempt === MAX_ATTEMPTS || findUpdateFailure(error)?.type !== NOT_ASKED) throw error
      await pause(RETRY_MS)
    }
  }
}

/** Converts the refusal of a run to the error of the API. Other errors are returned as they are. */
export function refusalError(error: unknown): unknown {
  const { type, message = '', details } = findUpdateFailure(error) ?? {}
  if (type === 'NOT_ASSIGNED') return new Forbidden(message)
  if (type === 'CLAIMED') return new Claimed(message)
  return type === INVALID_INPUT || type === NOT_ASKED ? invalidInputError(message, details?.[0]) : error
}

export const invalidInputError = (message: string, pointer: unknown): ValidationError =>
  new ValidationError(message, typeof pointer === 'string' ? [{ pointer, message }] : undefined)
