import type { ShareTokensService } from '../../../services/access/share-tokens.ts'
import { allowSessions } from '../../routing/access.ts'
import { page } from '../../routing/page.ts'
import { created, noContent, ok } from '../../routing/reply.ts'
import { defineRoute } from '../../routing/route.ts'
import type { Route } from '../../routing/route.ts'
import { errorBody } from '../../routing/schemas.ts'
import { toManager } from './manager.ts'
import * as schemas from './schemas.ts'

const tag = 'Access'
const path = '/v1/share-tokens'
const access = allowSessions('shares:manage')

/** Share tokens, with which people without an account use one receptor or one thread. */
export function shareTokenRoutes({ shareTokens }: { shareTokens: ShareTokensService }): Route[] {
  const list = defineRoute({
    name: 'shareTokens.list',
    method: 'get',
    path,
    summary: 'List share tokens, oldest first',
    tag,
    access,
    query: schemas.pageQuery,
    responses: { 200: { description: 'A page of share tokens', schema: schemas.shareTokenPage } },
    async handler({ caller, query }) {
      const { data, total } = await shareTokens.list(toManager(caller), query)
      return ok(page(data, total, query))
    },
  })

  const create = defineRoute({
    name: 'shareTokens.create',
    method: 'post',
    path,
    summary: 'Create a share token for a receptor or a thread',
    tag,
    access,
    body: schemas.shareTokenBody,
    responses: {
      201: { description: 'The token, whose text is shown only once', schema: schemas.createdShareToken },
      404: { description: 'The receptor or the thread does not exist', schema: errorBody },
    },
    async handler({ principal, body }) {
      const made = await shareTokens.create(principal, body)
      return created(`${path}/${made.id}`, made)
    },
  })

  const revoke = defineRoute({
    name: 'shareTokens.revoke',
    method: 'delete',
    path: `${path}/:id`,
    summary: 'Revoke a share token; requests with it fail within five seconds',
    tag,
    access,
    params: schemas.idParams,
    responses: { 204: { description: 'Revoked' } },
    async handler({ caller, params }) {
      await shareTokens.revoke(toManager(caller), params.id)
      return noContent()
    },
  })

  return [list, create, revoke]
}
