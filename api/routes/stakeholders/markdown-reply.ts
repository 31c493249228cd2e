import { ok, type Reply } from '../../routing/reply.ts'
import type { AppContext } from '../../routing/state.ts'

export const MARKDOWN = 'text/markdown'

/** Replies with JSON, or with Markdown where the query or the header `Accept` asks for it. */
export function markdownReply(
  ctx: AppContext,
  format: 'json' | 'markdown' | undefined,
  body: unknown,
  render: () => string,
): Reply {
  const asMarkdown =
    format === undefined ? ctx.accepts(['application/json', MARKDOWN]) === MARKDOWN : format === 'markdown'
  const vary = { Vary: 'Accept' }
  return asMarkdown
    ? { status: 200, body: render(), headers: { ...vary, 'Content-Type': `${MARKDOWN}; charset=utf-8` } }
    : ok(body, vary)
}
