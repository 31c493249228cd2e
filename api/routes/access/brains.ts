import { z } from 'zod'
import { errorBody } from '../../../contract/shared/error.ts'
import { pageQuery } from '../../../contract/shared/query.ts'
import * as schemas from '../../../contract/access/brain.ts'
import { line } from '../../../contract/shared/text.ts'
import type { BrainsService } from '../../../services/access/manage-brains.ts'
import { allowReaders, allowWriters } from '../../routing/access.ts'
import { page } from '../../routing/page.ts'
import { ok } from '../../routing/reply.ts'
import { defineRoute } from '../../routing/route.ts'
import type { Route } from '../../routing/route.ts'

const params = z.object({ id: line().meta({ description: 'Id of the brain' }) })

const tag = 'Access'
const path = '/v1/brains'

/** Routes for the brains of the workspace. */
export function brainRoutes({ brains }: { brains: BrainsService }): Route[] {
  const list = defineRoute({
    name: 'brains.list',
    method: 'get',
    path,
    summary: 'List brains, oldest first',
    tag,
    access: allowReaders('resources:read'),
    query: pageQuery,
    responses: { 200: { description: 'A page of brains', schema: schemas.brainPage } },
    async handler({ principal, query }) {
      const { data, total } = await brains.list(principal, query)
      return ok(page(data, total, query))
    },
  })

  const create = defineRoute({
    name: 'brains.create',
    method: 'post',
    path,
    summary: 'Create a brain',
    tag,
    access: allowWriters('access:manage'),
    body: schemas.brainBody,
    responses: {
      201: { description: 'The brain', schema: schemas.brain },
      409: { description: 'The workspace has reached its maximum number of brains', schema: errorBody },
    },
    handler: async ({ principal, body }) => ({ status: 201, body: await brains.create(principal, body) }),
  })

  const change = defineRoute({
    name: 'brains.update',
    method: 'patch',
    path: `${path}/:id`,
    summary: 'Update a brain',
    tag,
    access: allowWriters('access:manage'),
    params,
    body: schemas.brainChange,
    responses: { 200: { description: 'The brain', schema: schemas.brain } },
    handler: async ({ principal, params, body }) => ok(await brains.change(principal, params.id, body)),
  })

  return [list, create, change]
}
