import { AppError } from '../../domain/shared/errors.ts'
import type { Step } from '../routing/state.ts'

/** Path prefixes of removed routes, with the message that says what replaces them. */
const MOVED: Record<string, string> = {
  '/v1/integrations': 'Integrations are managed by a separate service',
  '/v1/grep': 'This route has been replaced by /v1/search',
}

/** Answers 410 for removed routes, for all callers and methods. */
export const gone: Step = (ctx, next) => {
  for (const [path, message] of Object.entries(MOVED)) {
    if (ctx.path === path || ctx.path.startsWith(`${path}/`)) throw new AppError('GONE', 410, message)
  }
  return next()
}
