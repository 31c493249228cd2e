import { type AppError, isRefusal } from '../../../domain/shared/errors.ts'
import { sendJson } from '../../routing/send-json.ts'
import type { AppContext, Step } from '../../routing/state.ts'
import { buildChallenge, InsufficientScope, type OAuthSettings } from './oauth.ts'
import { isMcpPath } from './paths.ts'

/** JSON-RPC error codes. */
const PARSE_ERROR = -32_700
const SERVER_ERROR = -32_000

/** Returns errors that occur before an MCP call in JSON-RPC format, with the HTTP status of the error. */
export const mcpErrors =
  (settings: OAuthSettings): Step =>
  async (ctx, next) => {
    try {
      await next()
    } catch (error) {
      if (!isMcpPath(ctx.path) || !isRefusal(error)) throw error
      answer(ctx, error, settings)
    }
  }

function answer(ctx: AppContext, refusal: AppError, settings: OAuthSettings): void {
  const { status, code, message, details, retryAfter } = refusal
  ctx.status = status
  if (retryAfter !== undefined) ctx.set('Retry-After', String(Math.ceil(retryAfter)))
  if (status === 401 || refusal instanceof InsufficientScope)
    ctx.set('WWW-Authenticate', buildChallenge(ctx, refusal, settings))
  if (status === 408) ctx.set('Connection', 'close')
  const isUnreadable = status === 400 && message.startsWith('The body is not')
  const error = { code: isUnreadable ? PARSE_ERROR : SERVER_ERROR, message, data: { code, details, retryAfter } }
  sendJson(ctx, { jsonrpc: '2.0', id: null, error })
}
