import type { Database } from '../../../data/shared/database.ts'
import { AuthRequired } from '../../../domain/shared/errors.ts'
import type { Principal } from '../../../domain/access/principal.ts'
import { createAccess } from '../../../services/access/access.ts'
import { createUserTokens, type UserTokenSettings } from '../../../services/access/credentials/user-tokens.ts'
import { API_KEY_SECRET } from '../shared/workspace.ts'
import type { Caller } from '../../../services/access/callers.ts'

/** Creates the service that authenticates callers, with optional user token settings. */
export const createTestAccess = (db: Database, settings: Partial<UserTokenSettings> = {}, secret = API_KEY_SECRET) =>
  createAccess({
    db,
    secret,
    verifyUserToken: createUserTokens({
      JWT_ALGORITHMS: ['RS256', 'ES256', 'EdDSA'],
      JWT_USER_CLAIM: 'sub',
      JWT_USER_PREFIX: 'user',
      ...settings,
    }),
    accessTokens: { authenticate: () => Promise.reject(new AuthRequired()) },
  })

/** Returns a caller that uses an API key. */
export const keyCallerOf = (principal: Principal): Caller => ({
  principal,
  kind: 'api_key',
  basis: {},
})
