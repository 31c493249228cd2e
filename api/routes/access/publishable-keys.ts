import type { PublishableKeysService } from '../../../services/access/publishable-keys.ts'
import { allowSessions } from '../../routing/access.ts'
import { page } from '../../routing/page.ts'
import { created, noContent, ok } from '../../routing/reply.ts'
import { defineRoute } from '../../routing/route.ts'
import type { Route } from '../../routing/route.ts'
import { toManager } from './manager.ts'
import * as schemas from './schemas.ts'

const tag = 'Access'
const path = '/v1/publishable-keys'
const access = allowSessions('access:manage')

/** Publishable keys of browser apps, which a signed-in user manages. */
export function publishableKeyRoutes({ publishableKeys }: { publishableKeys: PublishableKeysService }): Route[] {
  const list = defineRoute({
    name: 'publishableKeys.list',
    method: 'get',
    path,
    summary: 'List publishable keys, oldest first',
    tag,
    access,
    query: schemas.pageQuery,
    responses: { 200: { description: 'A page of publishable keys', schema: schemas.publishableKeyPage } },
    async handler({ caller, query }) {
      const { data, total } = await publishableKeys.list(toManager(caller), query)
      return ok(page(data, total, query))
    },
  })

  const create = defineRoute({
    name: 'publishableKeys.create',
    method: 'post',
    path,
    summary: 'Create a publishable key',
    tag,
    access,
    body: schemas.publishableKeyBody,
    responses: { 201: { description: 'The key', schema: schemas.createdPublishableKey } },
    async handler({ caller, body }) {
      const made = await publishableKeys.create(toManager(caller), body)
      return created(`${path}/${made.id}`, made)
    },
  })

  const revoke = defineRoute({
    name: 'publishableKeys.revoke',
    method: 'delete',
    path: `${path}/:id`,
    summary: 'Revoke a publishable key; requests with it fail within five seconds',
    tag,
    access,
    params: schemas.idParams,
    responses: { 204: { description: 'Revoked' } },
    async handler({ caller, params }) {
      await publishableKeys.revoke(toManager(caller), params.id)
      return noContent()
    },
  })

  return [list, create, revoke]
}
