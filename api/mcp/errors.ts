import { AppError } from '../../domain/errors.ts'
import type { AppContext, Step } from '../routing/state.ts'
import { MCP_PATH } from './routes.ts'

/** Codes of JSON-RPC. */
const PARSE_ERROR = -32_700
const SERVER_ERROR = -32_000

export const isMcpPath = (path: string): boolean => path === MCP_PATH || path.startsWith(`${MCP_PATH}/`)

/** Responds to errors before a call of the MCP server as JSON-RPC does, with the status of the error. */
export const mcpErrors: Step = async (ctx, next) => {
  try {
    await next()
  } catch (error) {
    if (!isMcpPath(ctx.path) || !(error instanceof AppError) || error.status >= 500) throw error
    answer(ctx, error)
  }
}

function answer(ctx: AppContext, { status, code, message, details, retryAfter }: AppError): void {
  ctx.status = status
  if (retryAfter !== undefined) ctx.set('Retry-After', String(Math.ceil(retryAfter)))
  if (status === 401) ctx.set('WWW-Authenticate', buildChallenge(ctx))
  if (status === 408) ctx.set('Connection', 'close')
  const isUnreadable = status === 400 && message.startsWith('The body is not')
  const error = { code: isUnreadable ? PARSE_ERROR : SERVER_ERROR, message, data: { code, details, retryAfter } }
  ctx.body = { jsonrpc: '2.0', id: null, error }
}

/** What a 401 says: a credential is missing, or that which was sent is not accepted (RFC 6750). */
const buildChallenge = (ctx: AppContext): string =>
  ctx.get('Authorization') ? 'Bearer error="invalid_token"' : 'Bearer'
