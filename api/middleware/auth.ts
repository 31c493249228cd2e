import type { AccessService } from '../../services/access/types.ts'
import type { Auth } from '../routing/route.ts'
import type { AppContext, Step } from '../routing/state.ts'

/** Finds out who calls. User tokens and share tokens will be told apart here as well. */
export function auth(kind: Auth, access: AccessService): Step {
  return async (ctx, next) => {
    if (kind === 'key' || (kind === 'optional' && ctx.get('Authorization'))) {
      ctx.state.principal = await access.authenticate(parseBearer(ctx))
    }
    return next()
  }
}

function parseBearer(ctx: AppContext): string | undefined {
  const [, token] = /^Bearer +(\S+)$/i.exec(ctx.get('Authorization')) ?? []
  return token
}
