import type { ErrorBody } from '../../contract/shared/error.ts'
import { AppError } from '../../domain/shared/errors.ts'
import { sendJson } from '../routing/send-json.ts'
import type { AppContext, Step } from '../routing/state.ts'
import { escapeXml } from '../../domain/shared/text/xml.ts'
import { prefersHtml } from '../routing/prefers-html.ts'

/** Returns errors as `{message, code, details?, retryAfter?}`. Unknown errors become INTERNAL without details. */
export const errors: Step = async (ctx, next) => {
  try {
    await next()
  } catch (thrown) {
    const error = thrown instanceof AppError ? thrown : new AppError('INTERNAL', 'Internal error', { cause: thrown })
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

const HEADERS = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': "default-src 'none'; base-uri 'none'; frame-ancestors 'none'",
  Vary: 'Accept',
}

/** Sign-in pages. A browser navigates to these addresses, so a person reads their errors. */
const PAGES = new Set(['/v1/session/sign-in', '/v1/session/callback'])

/** True when a person reads the response to this request. */
const isReadByPerson = (ctx: AppContext): boolean => PAGES.has(ctx.path) && prefersHtml(ctx)

/** Responds with a page that shows an error. */
function answerWithPage(ctx: AppContext, message: string): void {
  ctx.set(HEADERS)
  ctx.body = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Sign-in failed</title><meta name="viewport" content="width=device-width"></head>
<body>
<h1>Sign-in failed</h1>
<p>${escapeXml(message)}</p>
<p><a href="/console/">Back to the console</a></p>
</body>
</html>
`
}
