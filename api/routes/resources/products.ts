import { z } from 'zod'
import { pageQuery } from '../../../contract/shared/query.ts'
import { resourceDiff, diffQuery, versionPage } from '../../../contract/resources/version.ts'
import { resourceQuery, restoreBody } from '../../../contract/resources/resource.ts'
import { referringPage } from '../../../contract/resources/reference.ts'
import { productParams as params, versionQuery } from '../../../contract/resources/product.ts'
import { allowReaders, allowWriters } from '../../routing/access.ts'
import { etag, expectedVersion } from '../../routing/if-match.ts'
import { page } from '../../routing/page.ts'
import { created, ok } from '../../routing/reply.ts'
import { defineRoute } from '../../routing/route.ts'
import type { Route } from '../../routing/route.ts'
import type { ProductService } from '../../../services/resources/product.ts'
import { ABOUT_RESTORE, ABOUT_USERS, deleted, slugTaken, deletedReply } from './responses.ts'
import { readAddress } from './read-address.ts'

type Verb = 'list' | 'create' | 'read' | 'patch' | 'remove' | 'restore' | 'history' | 'users' | 'diff'

/** Fields that the product routes read from every resource. */
interface VersionedResource {
  id: string
  version: number
}

type Service<New, Change> = ProductService<VersionedResource, New, Change>

/** Describes a product, so that its routes can be built. */
interface Product {
  /** Path prefix of the routes. */
  path: Route['path']
  tag: Route['tag']
  /** Singular with article, such as `a neuron`. */
  one: string
  many: string
  /** Whether bodies may contain the text of an artifact. */
  text?: boolean
  /** Texts that replace or extend the shared texts, for each route. */
  says?: Partial<Record<Verb, Pick<Route, 'description'> & Partial<Pick<Route, 'summary'>>>>
}

interface With<Verbs extends Verb, Schemas, New = never, Change = never> extends Product {
  service: Pick<Service<New, Change>, Verbs>
  schemas: Schemas
}

interface View {
  view: z.ZodType
}
/** Schemas for saves. `saved` is the response schema of a save, if it differs from the view. */
interface SaveSchemas extends View {
  saved?: z.ZodType
}
interface ListSchemas {
  page: z.ZodType
  /** Filters for the list, if they differ from the shared filters. */
  filter?: typeof pageQuery
}
interface CreateSchemas<New> extends SaveSchemas {
  create: z.ZodType<New>
}
interface PatchSchemas<Change> extends SaveSchemas {
  patch: z.ZodType<Change & { expected_version?: number }>
}
interface RestoreSchemas extends View {
  /** Response schema of a restore, if it differs from the view. */
  restored?: z.ZodType
}
interface ReadSchemas extends View {
  /** Field that wraps the resource in read responses, if any. */
  wrap?: string
}

const answer = ({ one: noun }: Product, schema: z.ZodType) => ({
  description: `The fields of ${noun}`,
  schema,
})

/** Builds the routes of a product. They serve catalog resources with the product's own field layout. */
export function productRoutes<New, Change>(
  product: With<
    Verb,
    ListSchemas & CreateSchemas<New> & ReadSchemas & PatchSchemas<Change> & RestoreSchemas,
    New,
    Change
  >,
): Route[] {
  return [
    listRoute(product),
    createRoute(product),
    readRoute(product),
    patchRoute(product),
    removeRoute(product),
    restoreRoute(product),
    historyRoute(product),
    usersRoute(product),
    diffRoute(product),
  ]
}

const wrapped = (view: z.ZodType, field: string) =>
  z.object({ [field]: view }).meta({ id: `Wrapped${view.meta()?.id}` })

/** Returns the name of a product's route, such as `neurons.list`. */
const nameOf = (path: string, verb: string): Route['name'] => `${path.slice('/v1/'.length)}.${verb}`

export const listRoute = ({ path, tag, many, says, service, schemas }: With<'list', ListSchemas>): Route =>
  defineRoute({
    name: nameOf(path, 'list'),
    method: 'get',
    path,
    summary: `List ${many}`,
    tag,
    access: allowReaders('resources:read'),
    query: schemas.filter ?? resourceQuery,
    responses: { 200: { description: `A page of ${many}`, schema: schemas.page } },
    async handler({ principal, query }) {
      const { data, total } = await service.list(principal, query)
      return ok(page(data, total, query))
    },
    ...says?.list,
  })

export function createRoute<New>(product: With<'create', CreateSchemas<New>, New>): Route {
  const { path, tag, one: noun, text, says, service, schemas } = product
  return defineRoute({
    name: nameOf(path, 'create'),
    method: 'post',
    path,
    summary: `Create ${noun}`,
    description: 'The whole resource is validated. The response lists every problem.',
    tag,
    access: allowWriters('resources:write'),
    body: schemas.create,
    text,
    idempotent: true,
    responses: { 201: answer(product, schemas.saved ?? schemas.view) },
    async handler({ principal, body, idempotency }) {
      const resource = await service.create(principal, body, idempotency)
      return created(`${path}/${resource.id}`, resource)
    },
    ...says?.create,
  })
}

export function readRoute(product: With<'read', ReadSchemas>): Route {
  const { path, tag, one: noun, says, service, schemas } = product
  const { view, wrap } = schemas
  return defineRoute({
    name: nameOf(path, 'get'),
    method: 'get',
    path: `${path}/:id`,
    summary: `Read ${noun}`,
    tag,
    access: allowReaders('resources:read'),
    params,
    query: versionQuery,
    responses: { 200: answer(product, wrap === undefined ? view : wrapped(view, wrap)) },
    async handler({ principal, params, query }) {
      const { id, version } = readAddress(params.id, query.version)
      const resource = await service.read(principal, id, version)
      return ok(wrap === undefined ? resource : { [wrap]: resource }, etag(resource.version))
    },
    ...says?.read,
  })
}

export function patchRoute<Change>(product: With<'patch', PatchSchemas<Change>, never, Change>): Route {
  const { path, tag, one: noun, text, says, service, schemas } = product
  return defineRoute({
    name: nameOf(path, 'update'),
    method: 'patch',
    path: `${path}/:id`,
    summary: `Update ${noun}`,
    description:
      'Creates a new version with the given fields. null removes a field. Running jobs keep the version they started with.',
    tag,
    access: allowWriters('resources:write'),
    params,
    body: schemas.patch,
    text,
    conditional: true,
    responses: { 200: answer(product, schemas.saved ?? schemas.view) },
    async handler({ principal, params, body, ctx }) {
      const { expected_version, ...fields } = body
      const version = expectedVersion(ctx, expected_version)
      const resource = await service.patch(principal, params.id, fields as Change, version)
      return ok(resource, etag(resource.version))
    },
    ...says?.patch,
  })
}

export const removeRoute = ({ path, tag, one: noun, says, service }: With<'remove', unknown>): Route =>
  defineRoute({
    name: nameOf(path, 'delete'),
    method: 'delete',
    path: `${path}/:id`,
    summary: `Delete ${noun}`,
    description: 'You can restore a deleted resource later.',
    tag,
    access: allowWriters('resources:write'),
    params,
    responses: deleted,
    handler: async ({ principal, params }) => deletedReply(await service.remove(principal, params.id)),
    ...says?.remove,
  })

export function restoreRoute(product: With<'restore', RestoreSchemas>): Route {
  const { path, tag, one: noun, says, service, schemas } = product
  return defineRoute({
    name: nameOf(path, 'restore'),
    method: 'post',
    path: `${path}/:id/restore`,
    summary: `Restore ${noun}`,
    description: ABOUT_RESTORE,
    tag,
    access: allowWriters('resources:write'),
    params,
    body: restoreBody,
    responses: { 200: answer(product, schemas.restored ?? schemas.view), 409: slugTaken },
    handler: async ({ principal, params, body }) => ok(await service.restore(principal, params.id, body)),
    ...says?.restore,
  })
}

export const historyRoute = ({ path, tag, one: noun, says, service }: With<'history', unknown>): Route =>
  defineRoute({
    name: nameOf(path, 'history'),
    method: 'get',
    path: `${path}/:id/history`,
    summary: `List versions of ${noun}`,
    tag,
    access: allowReaders('resources:read'),
    params,
    query: pageQuery,
    responses: { 200: { description: 'A page of versions, latest first', schema: versionPage } },
    async handler({ principal, params, query }) {
      const { data, total } = await service.history(principal, params.id, query)
      return ok(page(data, total, query))
    },
    ...says?.history,
  })

export const usersRoute = ({ path, tag, one: noun, says, service }: With<'users', unknown>): Route =>
  defineRoute({
    name: nameOf(path, 'usedBy'),
    method: 'get',
    path: `${path}/:id/used-by`,
    summary: `List references to ${noun}`,
    description: ABOUT_USERS,
    tag,
    access: allowReaders('resources:read'),
    params,
    query: pageQuery,
    responses: { 200: { description: 'A page of resources', schema: referringPage } },
    async handler({ principal, params, query }) {
      const { data, total } = await service.users(principal, params.id, query)
      return ok(page(data, total, query))
    },
    ...says?.users,
  })

export const diffRoute = ({ path, tag, one: noun, says, service }: With<'diff', unknown>): Route =>
  defineRoute({
    name: nameOf(path, 'diff'),
    method: 'get',
    path: `${path}/:id/diff`,
    summary: `Compare versions of ${noun}`,
    tag,
    access: allowReaders('resources:read'),
    params,
    query: diffQuery,
    responses: {
      200: {
        description: 'The differences as an RFC 6902 patch against the catalog form of the resource',
        schema: resourceDiff,
      },
    },
    handler: async ({ principal, params, query }) => ok(await service.diff(principal, params.id, query)),
    ...says?.diff,
  })
