import { escapeXml } from '../../domain/shared/text/xml.ts'
import { prefersHtml } from '../routing/prefers-html.ts'
import type { AppContext } from '../routing/state.ts'

const HEADERS = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': "default-src 'none'; base-uri 'none'; frame-ancestors 'none'",
  Vary: 'Accept',
}

/** The pages of a sign-in: a browser navigates to them, so a person reads their errors. */
const PAGES = new Set(['/v1/session/sign-in', '/v1/session/callback'])

/** True when a person reads the response to this request. */
export const isReadByPerson = (ctx: AppContext): boolean => PAGES.has(ctx.path) && prefersHtml(ctx)

/** Responds with a page that shows an error. */
export function answerWithPage(ctx: AppContext, message: string): void {
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
