import type { ProductFields, ProductService } from '../../../services/products/types.ts'
import { etag, expectedVersion } from '../../routing/if-match.ts'
import { page } from '../../routing/page.ts'
import { created, noContent, ok } from '../../routing/reply.ts'
import { defineRoute } from '../../routing/route.ts'
import type { Route } from '../../routing/route.ts'
import { listQuery, pageQuery, versionPage } from '../resources/schemas.ts'
import { type ProductSchemas, productParams as params, versionQuery } from './schemas.ts'

interface Product {
  /** Where its routes begin. */
  path: Route['path']
  tag: string
  /** What one is called, with its article: `a neuron`. */
  one: string
  many: string
  service: ProductService
  schemas: ProductSchemas
}

/** The routes that every product has: the same rows as the catalog, in a shape of their own. */
export function productRoutes({ path, tag, one, many, service, schemas }: Product): Route[] {
  const the = { description: `What is stored of ${one}`, schema: schemas.view }
  const at = `${path}/:id` as const

  const list = defineRoute({
    method: 'get',
    path,
    summary: `List ${many}`,
    tag,
    auth: 'key',
    query: listQuery,
    responses: { 200: { description: `A page of ${many}`, schema: schemas.page } },
    async handler({ who, query }) {
      const { data, total } = await service.list(who, query)
      return ok(page(data, total, query))
    },
  })

  const create = defineRoute({
    method: 'post',
    path,
    summary: `Create ${one}`,
    description: 'Checked as a whole: the answer lists every problem.',
    tag,
    auth: 'key',
    body: schemas.create,
    idempotent: true,
    responses: { 201: the },
    async handler({ who, body, idempotency }) {
      const made = await service.create(who, body as ProductFields, idempotency)
      return created(`${path}/${made.id}`, made)
    },
  })

  const read = defineRoute({
    method: 'get',
    path: at,
    summary: `Read ${one}, now or as it was`,
    tag,
    auth: 'key',
    params,
    query: versionQuery,
    responses: { 200: the },
    async handler({ who, params, query }) {
      const found = await service.read(who, params.id, query.version)
      return ok(found, etag(found.version))
    },
  })

  const patch = defineRoute({
    method: 'patch',
    path: at,
    summary: `Change ${one}`,
    description:
      'Makes a new version of the fields that are given; null takes one away. Runs in flight keep the version they were started with.',
    tag,
    auth: 'key',
    params,
    body: schemas.patch,
    conditional: true,
    responses: { 200: the },
    async handler({ who, params, body, ctx }) {
      const { expected_version, ...fields } = body
      const saved = await service.patch(who, params.id, fields, expectedVersion(ctx, expected_version))
      return ok(saved, etag(saved.version))
    },
  })

  const remove = defineRoute({
    method: 'delete',
    path: at,
    summary: `Delete ${one}; it can be restored`,
    tag,
    auth: 'key',
    params,
    responses: { 204: { description: 'Deleted' } },
    async handler({ who, params }) {
      await service.remove(who, params.id)
      return noContent()
    },
  })

  const restore = defineRoute({
    method: 'post',
    path: `${at}/restore`,
    summary: `Bring back ${one} that was deleted`,
    tag,
    auth: 'key',
    params,
    responses: { 200: the },
    handler: async ({ who, params }) => ok(await service.restore(who, params.id)),
  })

  const history = defineRoute({
    method: 'get',
    path: `${at}/history`,
    summary: `List the versions of ${one}, latest first`,
    tag,
    auth: 'key',
    params,
    query: pageQuery,
    responses: { 200: { description: 'A page of versions', schema: versionPage } },
    async handler({ who, params, query }) {
      const { data, total } = await service.history(who, params.id, query)
      return ok(page(data, total, query))
    },
  })

  return [list, create, read, patch, remove, restore, history]
}
