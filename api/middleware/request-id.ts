import { randomUUID } from 'node:crypto'
import type { Step } from '../routing/state.ts'

const VALID_ID = /^[\w.:+/=~-]{1,128}$/

/** Sets the request id: the caller's `X-Request-Id` when it is valid, else a new one. */
export const requestId: Step = (ctx, next) => {
  const given = ctx.get('X-Request-Id')
  ctx.state.requestId = VALID_ID.test(given) ? given : randomUUID()
  ctx.set('X-Request-Id', ctx.state.requestId)
  return next()
}
