import { WorkflowUpdateFailedError } from '@temporalio/client'
import { ApplicationFailure, type UpdateDefinition } from '@temporalio/common'
import type { Temporal } from '../shared/temporal.ts'
import { setTimeout as pause } from 'node:timers/promises'
import { Claimed, Forbidden, ValidationError } from '../../domain/shared/errors.ts'
import { INVALID_INPUT, NOT_ASKED } from '../../workflows/shared/run/messages.ts'

/** Time that an update waits for a worker, in milliseconds. Repeated updates with the same id run only once. */
const UPDATE_TIMEOUT_MS = 10_000

/**
 * Sends an update to a run and returns the run's reply. If the run rejects the update, throws an error for
 * `findUpdateFailure`.
 */
export const sendUpdate = <Reply, Input>(
  temporal: Temporal,
  jobId: string,
  update: UpdateDefinition<Reply, [Input]>,
  input: Input,
  updateId: string,
): Promise<Reply> =>
  temporal.call(() => temporal.handle(jobId).executeUpdate(update, { args: [input], updateId }), UPDATE_TIMEOUT_MS)

/** Returns the failure with which a run rejected an update. */
export const findUpdateFailure = (error: unknown): ApplicationFailure | undefined =>
  error instanceof WorkflowUpdateFailedError && error.cause instanceof ApplicationFailure ? error.cause : undefined

/** After a crash, the run may not know an intervention until it is replayed. */
const MAX_ATTEMPTS = 5
const RETRY_MS = 200

/**
 * Sends an update about an intervention to its run. If the run rejects the update, throws the error that `toRefusal`
 * returns.
 */
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

/** Converts a run's rejection to an API error. Returns other errors unchanged. */
export function refusalError(error: unknown): unknown {
  const { type, message = '', details } = findUpdateFailure(error) ?? {}
  if (type === 'NOT_ASSIGNED') return new Forbidden(message)
  if (type === 'CLAIMED') return new Claimed(message)
  return type === INVALID_INPUT || type === NOT_ASKED ? invalidInputError(message, details?.[0]) : error
}

export const invalidInputError = (message: string, pointer: unknown): ValidationError =>
  new ValidationError(message, typeof pointer === 'string' ? [{ pointer, message }] : undefined)
