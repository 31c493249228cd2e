import type { Database } from '../../../data/shared/database.ts'
import { AuthRequired } from '../../../domain/shared/errors.ts'
import type { Principal } from '../../../domain/access/principal.ts'
import { createAccess } from '../../../services/access/access.ts'
import { createUserTokens, type UserTokenSettings } from '../../../services/access/credentials/user-tokens.ts'
import { API_KEY_SECRET } from '../shared/workspace.ts'
import type { Caller } from '../../../services/access/callers.ts'

/** The service that authenticates callers, with the settings of user tokens if there are any. */
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

/** A caller with an API key. */
export const keyCallerOf = (principal: Principal): Caller => ({
  principal,
  kind: 'api_key',
})
