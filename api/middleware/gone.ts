import { AppError } from '../../domain/errors.ts'
import type { Step } from '../routing/state.ts'

/** Routes that are served elsewhere now, whatever follows them in the path, and where. */
const MOVED: Record<string, string> = {
  '/v1/integrations': 'Integrations are managed by a separate service',
  '/v1/grep': 'This route has been replaced by /v1/search',
}

/** Answers 410 on them, to everyone and for every method. */
export const gone: Step = (ctx, next) => {
  for (const [path, message] of Object.entries(MOVED)) {
    if (ctx.path === path || ctx.path.startsWith(`${path}/`)) throw new AppError('GONE', 410, message)
  }
  return next()
}
