import type { AccessService } from '../../services/access/types.ts'
import type { Auth } from '../routing/route.ts'
import type { AppContext, Step } from '../routing/state.ts'

/** Authenticates the caller by API key. */
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
