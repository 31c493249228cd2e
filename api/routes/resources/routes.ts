import { NotFound } from '../../../domain/errors.ts'
import type { PathwaysService } from '../../../services/pathways/types.ts'
import { etag } from '../../routing/if-match.ts'
import { page } from '../../routing/page.ts'
import { created, noContent, ok } from '../../routing/reply.ts'
import { defineRoute } from '../../routing/route.ts'
import type { Route } from '../../routing/route.ts'
import { listQuery, pageQuery, versionPage } from '../pathways/schemas.ts'
import { pointIntoDocument, presentResource } from './present.ts'
import * as schemas from './schemas.ts'

const tag = 'Catalog'
const theResource = { description: 'The resource', schema: schemas.resource }

/** Resources of any kind in one shape, over the same rows as the product routes. Pathways are the kind there is so far. */
export function resourceRoutes({ pathways }: { pathways: PathwaysService }): Route[] {
  const catalogs = new Map([
    ['pathways', pathways],
    ['pathway', pathways],
  ])
  const serviceOf = (catalog: string): PathwaysService => {
    const service = catalogs.get(catalog)
    if (!service) throw new NotFound('This catalog')
    return service
  }

  const list = defineRoute({
    method: 'get',
    path: '/v1/resources/:catalog',
    summary: 'List the heads of a kind',
    tag,
    auth: 'key',
    params: schemas.catalogParams,
    query: listQuery,
    responses: { 200: { description: 'A page of resources', schema: schemas.resourcePage } },
    async handler({ who, params, query }) {
      const { data, total } = await serviceOf(params.catalog).list(who, query)
      return ok(page(data.map(presentResource), total, query))
    },
  })

  const create = defineRoute({
    method: 'post',
    path: '/v1/resources/:catalog',
    summary: 'Create a resource',
    tag,
    auth: 'key',
    params: schemas.catalogParams,
    body: schemas.createBody,
    responses: { 201: theResource },
    async handler({ who, params, body }) {
      const { document, ...head } = body
      const saving = serviceOf(params.catalog).create(who, { ...head, ...document })
      const resource = await saving.catch(pointIntoDocument)
      return created(`/v1/resources/${resource.type}/${resource.id}`, presentResource(resource))
    },
  })

  const read = defineRoute({
    method: 'get',
    path: '/v1/resources/:catalog/:id',
    summary: 'Read a head',
    tag,
    auth: 'key',
    params: schemas.resourceParams,
    responses: { 200: theResource },
    async handler({ who, params }) {
      const resource = await serviceOf(params.catalog).read(who, params.id)
      return ok(presentResource(resource), etag(resource.version))
    },
  })

  const remove = defineRoute({
    method: 'delete',
    path: '/v1/resources/:catalog/:id',
    summary: 'Delete a resource; it can be restored',
    tag,
    auth: 'key',
    params: schemas.resourceParams,
    responses: { 204: { description: 'Deleted' } },
    async handler({ who, params }) {
      await serviceOf(params.catalog).remove(who, params.id)
      return noContent()
    },
  })

  const restore = defineRoute({
    method: 'post',
    path: '/v1/resources/:catalog/:id/restore',
    summary: 'Bring back a deleted resource',
    tag,
    auth: 'key',
    params: schemas.resourceParams,
    responses: { 200: theResource },
    handler: async ({ who, params }) => ok(presentResource(await serviceOf(params.catalog).restore(who, params.id))),
  })

  const history = defineRoute({
    method: 'get',
    path: '/v1/resources/:catalog/:id/history',
    summary: 'List the versions of a resource, latest first',
    tag,
    auth: 'key',
    params: schemas.resourceParams,
    query: pageQuery,
    responses: { 200: { description: 'A page of versions', schema: versionPage } },
    async handler({ who, params, query }) {
      const { data, total } = await serviceOf(params.catalog).history(who, params.id, query)
      return ok(page(data, total, query))
    },
  })

  const readVersion = defineRoute({
    method: 'get',
    path: '/v1/resources/:catalog/:id/versions/:version',
    summary: 'Read a resource as it was at a version',
    tag,
    auth: 'key',
    params: schemas.versionParams,
    responses: { 200: theResource },
    async handler({ who, params }) {
      return ok(presentResource(await serviceOf(params.catalog).read(who, params.id, params.version)))
    },
  })

  return [list, create, read, remove, restore, history, readVersion]
}
