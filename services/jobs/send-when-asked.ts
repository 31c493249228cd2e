import { setTimeout as pause } from 'node:timers/promises'
import type { UpdateDefinition } from '@temporalio/common'
import { Claimed, Forbidden, ValidationError } from '../../domain/errors.ts'
import { INVALID_INPUT, NOT_ASKED } from '../../workflows/shared/messages.ts'
import type { Temporal } from '../temporal.ts'
import { findRefusal, sendUpdate } from './send-update.ts'

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
      if (attempt === MAX_ATTEMPTS || findRefusal(error)?.type !== NOT_ASKED) throw error
      await pause(RETRY_MS)
    }
  }
}

/** Converts the refusal of a run to the error of the API. Other errors are returned as they are. */
export function toRefusal(error: unknown): unknown {
  const { type, message = '', details } = findRefusal(error) ?? {}
  if (type === 'NOT_ASSIGNED') return new Forbidden(message)
  if (type === 'CLAIMED') return new Claimed(message)
  return type === INVALID_INPUT || type === NOT_ASKED ? toInvalid(message, details?.[0]) : error
}

export const toInvalid = (message: string, pointer: unknown): ValidationError =>
  new ValidationError(message, typeof pointer === 'string' ? [{ pointer, message }] : undefined)
