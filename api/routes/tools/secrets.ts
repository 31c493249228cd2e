import { z } from 'zod'
import { SECRET_NAME } from '../../../domain/tools/secrets.ts'
import { errorBody } from '../../../contract/shared/error.ts'
import { pageQuery } from '../../../contract/shared/query.ts'
import * as schemas from '../../../contract/tools/secret.ts'
import { allowWriters } from '../../routing/access.ts'
import { page } from '../../routing/page.ts'
import { noContent, ok } from '../../routing/reply.ts'
import { defineRoute } from '../../routing/route.ts'
import type { Route } from '../../routing/route.ts'
import type { SecretsService } from '../../../services/tools/secrets/secrets.ts'

const params = z.object({
  name: z.string().regex(SECRET_NAME, 'must have 1 to 100 letters, digits, dots, hyphens and underscores'),
})

const tag = 'Secrets'
const path = '/v1/secrets'
const access = allowWriters('secrets:manage')

/** Routes for workspace secrets, which tools and `http` nodes refer to by name. */
export function secretRoutes({ secrets }: { secrets: SecretsService }): Route[] {
  const list = defineRoute({
    name: 'secrets.list',
    method: 'get',
    path,
    summary: 'List secrets, without values',
    tag,
    access,
    query: pageQuery,
    responses: { 200: { description: 'A page of secrets', schema: schemas.secretPage } },
    async handler({ principal, query }) {
      const { data, total } = await secrets.list(principal, query)
      return ok(page(data, total, query))
    },
  })

  const save = defineRoute({
    name: 'secrets.save',
    method: 'put',
    path: `${path}/:name`,
    summary: 'Create or update a secret',
    description:
      'Replaces the value and the hosts of an existing secret. Subsequent calls send the new value. The value is stored encrypted and never returned.',
    tag,
    access,
    params,
    body: schemas.secretBody,
    responses: {
      200: { description: 'The secret without its value', schema: schemas.secret },
      409: {
        description: 'An operator secret has the same name, or the workspace has reached its maximum number of secrets',
        schema: errorBody,
      },
    },
    handler: async ({ principal, params, body }) => ok(await secrets.save(principal, params.name, body)),
  })

  const remove = defineRoute({
    name: 'secrets.delete',
    method: 'delete',
    effect: 'stop',
    path: `${path}/:name`,
    summary: 'Delete a secret',
    description: 'Subsequent calls that use the secret fail.',
    tag,
    access,
    params,
    responses: { 204: { description: 'Deleted' } },
    async handler({ principal, params }) {
      await secrets.remove(principal, params.name)
      return noContent()
    },
  })

  return [list, save, remove]
}
