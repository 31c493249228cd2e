import { randomUUID } from 'node:crypto'
import type { Step } from '../routing/state.ts'

const VALID_ID = /^[\w.:+/=~-]{1,128}$/

/** Calls work that is done for a request. */
export type InRequest = <T>(requestId: string, work: () => T) => T

/** Sets the request id: the caller's `X-Request-Id` when it is valid, else a new one. Changes are recorded with it. */
export const requestId =
  (inRequest: InRequest): Step =>
  (ctx, next) => {
    const given = ctx.get('X-Request-Id')
    ctx.state.requestId = VALID_ID.test(given) ? given : randomUUID()
    ctx.set('X-Request-Id', ctx.state.requestId)
    return inRequest(ctx.state.requestId, next)
  }
