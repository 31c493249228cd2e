import { errorBody } from '../../../contract/shared/error.ts'
import * as schemas from '../../../contract/access/api-key.ts'
import type { ApiKeysService } from '../../../services/access/credentials/api-keys.ts'
import { allowSessions } from '../../routing/access.ts'
import { created, ok } from '../../routing/reply.ts'
import { defineRoute, type Route } from '../../routing/route.ts'
import { credentialRoutes, idParams } from './credential-routes.ts'
import { getManager } from './manager.ts'

const tag = 'Access'
const path = '/v1/api-keys'
const access = allowSessions('access:manage')
const params = idParams
const revoked = { 409: { description: 'The key is revoked', schema: errorBody } }

/** Routes for API keys. Signed-in users manage them. */
export function apiKeyRoutes({ apiKeys }: { apiKeys: ApiKeysService }): Route[] {
  const common = credentialRoutes({
    name: 'apiKeys',
    path,
    one: 'an API key',
    many: 'API keys',
    access,
    schema: schemas.apiKey,
    service: apiKeys,
  })

  const create = defineRoute({
    name: 'apiKeys.create',
    method: 'post',
    path,
    summary: 'Create an API key',
    tag,
    access,
    body: schemas.apiKeyBody,
    responses: { 201: { description: 'The new key. Its text is shown only once.', schema: schemas.createdApiKey } },
    async handler({ caller, body }) {
      const key = await apiKeys.create(getManager(caller), body)
      return created(`${path}/${key.id}`, key)
    },
  })

  const read = defineRoute({
    name: 'apiKeys.get',
    method: 'get',
    path: `${path}/:id`,
    summary: 'Read an API key',
    description: "The response does not contain the key's text.",
    tag,
    access,
    params,
    responses: { 200: { description: 'The updated API key', schema: schemas.apiKey } },
    handler: async ({ caller, params }) => ok(await apiKeys.read(getManager(caller), params.id)),
  })

  const replace = defineRoute({
    name: 'apiKeys.replace',
    method: 'put',
    path: `${path}/:id`,
    summary: 'Update an API key',
    tag,
    access,
    params,
    body: schemas.apiKeyChange,
    responses: { 200: { description: 'The updated API key', schema: schemas.apiKey }, ...revoked },
    handler: async ({ caller, params, body }) => ok(await apiKeys.replace(getManager(caller), params.id, body)),
  })

  const rotate = defineRoute({
    name: 'apiKeys.rotate',
    method: 'post',
    path: `${path}/:id/rotate`,
    summary: 'Rotate an API key',
    description: 'Creates a key with the same permissions. The old key remains valid for `overlap_seconds`.',
    tag,
    access,
    params,
    body: schemas.rotateBody,
    responses: { 201: { description: 'The new key', schema: schemas.createdApiKey }, ...revoked },
    async handler({ caller, params, body }) {
      const key = await apiKeys.rotate(getManager(caller), params.id, body.overlap_seconds)
      return created(`${path}/${key.id}`, key)
    },
  })

  return [...common, create, read, replace, rotate]
}
