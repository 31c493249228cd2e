import { type AppError, isRefusal } from '../../domain/shared/errors.ts'
import { ScimProblem } from '../../domain/access/scim-problem.ts'
import { sendJson } from '../routing/send-json.ts'
import type { AppContext, Step } from '../routing/state.ts'
import { isScimPath } from './paths.ts'

export const SCIM_TYPE = 'application/scim+json'

/** Returns the errors of SCIM requests in the format of RFC 7644, section 3.12. */
export const scimErrors: Step = async (ctx, next) => {
  try {
    await next()
  } catch (error) {
    if (!isScimPath(ctx.path) || !isRefusal(error)) throw error
    answer(ctx, error)
  }
}

function answer(ctx: AppContext, error: AppError): void {
  const { status, message, retryAfter } = error
  ctx.status = status
  if (retryAfter !== undefined) ctx.set('Retry-After', String(Math.ceil(retryAfter)))
  if (status === 401) ctx.set('WWW-Authenticate', 'Bearer')
  if (status === 408) ctx.set('Connection', 'close')
  ctx.set('Content-Type', SCIM_TYPE)
  sendJson(ctx, {
    schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
    status: String(status),
    scimType: error instanceof ScimProblem ? error.scimType : undefined,
    detail: message,
  })
}
