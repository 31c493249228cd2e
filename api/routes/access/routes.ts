import type { ApiKeysService } from '../../../services/access/credentials/api-keys.ts'
import type { MembersService } from '../../../services/access/members.ts'
import type { Offboarding } from '../../../services/access/offboarding.ts'
import type { PublishableKeysService } from '../../../services/access/credentials/publishable-keys.ts'
import type { ShareTokensService } from '../../../services/access/credentials/share-tokens.ts'
import type { Route } from '../../routing/route.ts'
import { apiKeyRoutes } from './api-keys.ts'
import { memberRoutes } from './members.ts'
import { publishableKeyRoutes } from './publishable-keys.ts'
import { shareTokenRoutes } from './share-tokens.ts'

interface Deps {
  apiKeys: ApiKeysService
  members: MembersService
  offboarding: Offboarding
  publishableKeys: PublishableKeysService
  shareTokens: ShareTokensService
}

/** Routes for workspace access: credentials and members. */
export const accessRoutes = (deps: Deps): Route[] => [
  ...apiKeyRoutes(deps),
  ...publishableKeyRoutes(deps),
  ...shareTokenRoutes(deps),
  ...memberRoutes(deps),
]
