import type { ErrorBody } from '../../contract/shared/error.ts'
import { AppError } from '../../domain/shared/errors.ts'
import { sendJson } from '../routing/send-json.ts'
import type { AppContext, Step } from '../routing/state.ts'
import { answerWithPage, isReadByPerson } from './error-page.ts'

/** Answers errors as `{message, code, details?, retryAfter?}`. Unknown errors become INTERNAL without details. */
export const errors: Step = async (ctx, next) => {
  try {
    await next()
  } catch (thrown) {
    const error =
      thrown instanceof AppError ? thrown : new AppError('INTERNAL', 500, 'Internal error', { cause: thrown })
    if (error.status >= 500)
      ctx.state.log.error({ err: error.cause ?? error, code: error.code, job_id: ctx.state.jobId }, 'request failed')
    answer(ctx, error)
  }
}

function answer(ctx: AppContext, { status, message, code, details, retryAfter }: AppError): void {
  ctx.status = status
  if (retryAfter !== undefined) ctx.set('Retry-After', String(Math.ceil(retryAfter)))
  if (status === 401) ctx.set('WWW-Authenticate', 'Bearer')
  if (status === 408) ctx.set('Connection', 'close')
  if (isReadByPerson(ctx)) return answerWithPage(ctx, message)
  sendJson(ctx, { message, code, details, retryAfter } satisfies ErrorBody)
}
