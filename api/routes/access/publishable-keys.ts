import * as schemas from '../../../contract/access/publishable-key.ts'
import type { PublishableKeysService } from '../../../services/access/credentials/publishable-keys.ts'
import { allowSessions } from '../../routing/access.ts'
import { created } from '../../routing/reply.ts'
import { defineRoute, type Route } from '../../routing/route.ts'
import { credentialRoutes } from './credential-routes.ts'
import { getManager } from './manager.ts'

const tag = 'Access'
const path = '/v1/publishable-keys'
const access = allowSessions('access:manage')

/** Routes for publishable keys, which browser apps use and signed-in users manage. */
export function publishableKeyRoutes({ publishableKeys }: { publishableKeys: PublishableKeysService }): Route[] {
  const common = credentialRoutes({
    name: 'publishableKeys',
    path,
    one: 'a publishable key',
    many: 'publishable keys',
    access,
    schema: schemas.publishableKey,
    service: publishableKeys,
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
      const key = await publishableKeys.create(getManager(caller), body)
      return created(`${path}/${key.id}`, key)
    },
  })

  return [...common, create]
}
