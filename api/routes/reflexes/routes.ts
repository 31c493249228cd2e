import type { ReflexesService } from '../../../services/reflexes/types.ts'
import { etag, expectedVersion } from '../../routing/if-match.ts'
import { page } from '../../routing/page.ts'
import { accepted, created, noContent, ok } from '../../routing/reply.ts'
import { defineRoute } from '../../routing/route.ts'
import type { Route } from '../../routing/route.ts'
import { jobAccepted } from '../jobs/schemas.ts'
import { listQuery, pageQuery, versionPage } from '../resources/schemas.ts'
import * as schemas from './schemas.ts'

const tag = 'Tools'
const params = schemas.reflexParams

/** Reflexes as a product: collections of tools, and where those come from. */
export function reflexRoutes({ reflexes }: { reflexes: ReflexesService }): Route[] {
  const list = defineRoute({
    method: 'get',
    path: '/v1/reflexes',
    summary: 'List reflexes',
    tag,
    auth: 'key',
    query: listQuery,
    responses: { 200: { description: 'A page of reflexes', schema: schemas.reflexPage } },
    async handler({ who, query }) {
      const { data, total } = await reflexes.list(who, query)
      return ok(page(data, total, query))
    },
  })

  const create = defineRoute({
    method: 'post',
    path: '/v1/reflexes',
    summary: 'Create a reflex',
    description: 'Where only an address is given, a job asks there for the tools; `job_id` names it.',
    tag,
    auth: 'key',
    body: schemas.createBody,
    idempotent: true,
    responses: { 201: { description: 'The reflex', schema: schemas.savedReflex } },
    async handler({ who, body, idempotency }) {
      const reflex = await reflexes.create(who, body, idempotency)
      return created(`/v1/reflexes/${reflex.id}`, reflex)
    },
  })

  const read = defineRoute({
    method: 'get',
    path: '/v1/reflexes/:id',
    summary: 'Read a reflex, now or as it was',
    tag,
    auth: 'key',
    params,
    query: schemas.versionQuery,
    responses: { 200: { description: 'The reflex', schema: schemas.reflex } },
    async handler({ who, params, query }) {
      const reflex = await reflexes.read(who, params.id, query.version)
      return ok(reflex, etag(reflex.version))
    },
  })

  const patch = defineRoute({
    method: 'patch',
    path: '/v1/reflexes/:id',
    summary: 'Change a reflex',
    description: 'Makes a new version. Runs in flight keep calling the version they began with.',
    tag,
    auth: 'key',
    params,
    body: schemas.patchBody,
    conditional: true,
    responses: { 200: { description: 'The reflex', schema: schemas.savedReflex } },
    async handler({ who, params, body, ctx }) {
      const { expected_version, ...fields } = body
      const reflex = await reflexes.patch(who, params.id, fields, expectedVersion(ctx, expected_version))
      return ok(reflex, etag(reflex.version))
    },
  })

  const remove = defineRoute({
    method: 'delete',
    path: '/v1/reflexes/:id',
    summary: 'Delete a reflex',
    description: 'It can be restored. Until then none of its tools can be called, by runs in flight neither.',
    tag,
    auth: 'key',
    params,
    responses: { 204: { description: 'Deleted' } },
    async handler({ who, params }) {
      await reflexes.remove(who, params.id)
      return noContent()
    },
  })

  const restore = defineRoute({
    method: 'post',
    path: '/v1/reflexes/:id/restore',
    summary: 'Bring back a deleted reflex',
    tag,
    auth: 'key',
    params,
    responses: { 200: { description: 'The reflex', schema: schemas.reflex } },
    handler: async ({ who, params }) => ok(await reflexes.restore(who, params.id)),
  })

  const history = defineRoute({
    method: 'get',
    path: '/v1/reflexes/:id/history',
    summary: 'List the versions of a reflex, latest first',
    tag,
    auth: 'key',
    params,
    query: pageQuery,
    responses: { 200: { description: 'A page of versions', schema: versionPage } },
    async handler({ who, params, query }) {
      const { data, total } = await reflexes.history(who, params.id, query)
      return ok(page(data, total, query))
    },
  })

  const refresh = defineRoute({
    method: 'post',
    path: '/v1/reflexes/:id/refresh',
    summary: 'Ask the source of a reflex for its tools again',
    description: 'The job saves them as a new version, where they have changed.',
    tag,
    auth: 'key',
    params,
    idempotent: true,
    responses: { 202: { description: 'The job is accepted', schema: jobAccepted } },
    handler: async ({ who, params, idempotency }) => accepted(await reflexes.refresh(who, params.id, idempotency)),
  })

  return [list, create, read, patch, remove, restore, history, refresh]
}
