import { errorBody } from '../../../contract/shared/error.ts'
import * as schemas from '../../../contract/access/share-token.ts'
import type { ShareTokensService } from '../../../services/access/credentials/share-tokens.ts'
import { allowWriters } from '../../routing/access.ts'
import { created } from '../../routing/reply.ts'
import { defineRoute, type Route } from '../../routing/route.ts'
import { credentialRoutes } from './credential-routes.ts'

const tag = 'Access'
const path = '/v1/share-tokens'
const access = allowWriters('shares:manage')

/** Routes for share tokens, which give people without an account access to one receptor or one thread. */
export function shareTokenRoutes({ shareTokens }: { shareTokens: ShareTokensService }): Route[] {
  const common = credentialRoutes({
    name: 'shareTokens',
    path,
    one: 'a share token',
    many: 'share tokens',
    access,
    schema: schemas.shareToken,
    service: shareTokens,
  })

  const create = defineRoute({
    name: 'shareTokens.create',
    method: 'post',
    path,
    summary: 'Create a share token',
    description: 'A share token gives access to one receptor (gateway) or one thread.',
    tag,
    access,
    body: schemas.shareTokenBody,
    responses: {
      201: { description: 'The new token. Its text is shown only once.', schema: schemas.createdShareToken },
      404: { description: 'The receptor or the thread does not exist', schema: errorBody },
    },
    async handler({ caller, body }) {
      const token = await shareTokens.create(caller, body)
      return created(`${path}/${token.id}`, token)
    },
  })

  return [...common, create]
}
