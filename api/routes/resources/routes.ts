import { z } from 'zod'
import { NotFound } from '../../../domain/shared/errors.ts'
import { findResourceKind, type ResourceKind, RESOURCE_KINDS } from '../../../domain/resources/kinds/index.ts'
import { pageQuery, versionNumber } from '../../../contract/shared/query.ts'
import { jobAccepted } from '../../../contract/runs/control.ts'
import * as schemas from '../../../contract/resources/resource.ts'
import { requireFields } from '../../../contract/resources/product.ts'
import { versionPage, diffQuery, resourceDiff } from '../../../contract/resources/version.ts'
import { referringPage } from '../../../contract/resources/reference.ts'
import { line } from '../../../contract/shared/text.ts'
import type { Purges } from '../../../services/audit/purges/purges.ts'
import { allowReaders, allowWriters } from '../../routing/access.ts'
import { etag, expectedVersion } from '../../routing/if-match.ts'
import { page } from '../../routing/page.ts'
import { accepted, created, ok } from '../../routing/reply.ts'
import { defineRoute } from '../../routing/route.ts'
import type { Route } from '../../routing/route.ts'
import type { ResourcesService } from '../../../services/resources/resources.ts'
import { readAddress } from './read-address.ts'
import { deletedReply, deleted, ABOUT_RESTORE, slugTaken, ABOUT_USERS } from './responses.ts'

const catalogParams = z.object({
  catalog: line(100).meta({ description: `Kind of resource, singular or plural: ${RESOURCE_KINDS.join(', ')}` }),
})
const resourceParams = catalogParams.extend({ id: line().meta({ description: 'Id or slug of the resource' }) })
const versionParams = resourceParams.extend({ version: versionNumber })

const tag = 'Catalog'
const params = resourceParams
const theResource = { description: 'The resource', schema: schemas.resource }

interface Deps {
  resources: ResourcesService
  purges: Pick<Purges, 'resource'>
}

/** Routes for the catalog, which serves resources of every kind in the same form. */
export function resourceRoutes({ resources, purges }: Deps): Route[] {
  const list = defineRoute({
    name: 'resources.list',
    method: 'get',
    path: '/v1/resources/:catalog',
    summary: 'List resources of a kind',
    tag,
    access: allowReaders('resources:read'),
    params: catalogParams,
    query: schemas.resourceQuery,
    responses: { 200: { description: 'A page of resources', schema: schemas.resourcePage } },
    async handler({ principal, params, query }) {
      const { data, total } = await resources.list(principal, kindIn(params), query)
      return ok(page(data, total, query))
    },
  })

  const create = defineRoute({
    name: 'resources.create',
    method: 'post',
    path: '/v1/resources/:catalog',
    summary: 'Create a resource',
    description: 'The whole document is validated. The response lists every problem.',
    tag,
    access: allowWriters('resources:write'),
    params: catalogParams,
    body: requireFields(schemas.resourceBody),
    text: true,
    idempotent: true,
    responses: { 201: theResource },
    async handler({ principal, params, body, idempotency }) {
      const resource = await resources.create(principal, kindIn(params), body, idempotency)
      return created(`/v1/resources/${resource.type}/${resource.id}`, resource)
    },
  })

  const dryRun = defineRoute({
    name: 'resources.dryRun',
    method: 'post',
    effect: 'read',
    path: '/v1/resources/dry-run',
    summary: 'Validate resources without saving',
    description:
      'For each resource, returns the action and result of a save, or every problem. Resources in the request may refer to each other.',
    tag,
    access: allowWriters('resources:write'),
    body: schemas.dryRunBody,
    text: true,
    responses: { 200: { description: 'Result for each resource', schema: schemas.dryRunReport } },
    async handler({ principal, body }) {
      const targets = body.resources.map(({ catalog, ...fields }) => ({ ...fields, kind: kindIn({ catalog }) }))
      return ok({ results: await resources.dryRun(principal, targets) })
    },
  })

  const read = defineRoute({
    name: 'resources.get',
    method: 'get',
    path: '/v1/resources/:catalog/:id',
    summary: 'Read a resource',
    tag,
    access: allowReaders('resources:read'),
    params,
    responses: { 200: theResource },
    async handler({ principal, params }) {
      const { id, version } = readAddress(params.id)
      const resource = await resources.read(principal, kindIn(params), id, version)
      return ok(resource, etag(resource.version))
    },
  })

  const patch = defineRoute({
    name: 'resources.update',
    method: 'post',
    path: '/v1/resources/:catalog/:id/patch',
    summary: 'Update a resource',
    description: 'Creates a new version. Send exactly one of `ops`, `merge`, `delta` and `content`.',
    tag,
    access: allowWriters('resources:write'),
    params,
    body: schemas.resourcePatch,
    text: true,
    conditional: true,
    responses: { 200: theResource },
    async handler({ principal, params, body, ctx }) {
      const expected_version = expectedVersion(ctx, body.expected_version)
      const resource = await resources.patch(principal, kindIn(params), params.id, { ...body, expected_version })
      return ok(resource, etag(resource.version))
    },
  })

  const remove = defineRoute({
    name: 'resources.delete',
    method: 'delete',
    path: '/v1/resources/:catalog/:id',
    summary: 'Delete a resource',
    description:
      "Deleted resources can be restored. With `purge=true`, a job also removes the content permanently, even if the resource was deleted earlier. It removes all versions, the extracted text, content that nothing else uses, and the extraction jobs. For a meeting, it also removes the jobs, the recordings and the transcript artifact. The job's result counts the removed items. A purge also needs the permission `jobs:control`.",
    tag,
    access: allowWriters('resources:write'),
    params,
    query: schemas.removeQuery,
    responses: {
      ...deleted,
      202: { description: 'The resource is deleted. The job removes its content afterwards.', schema: jobAccepted },
    },
    async handler({ principal, params, query }) {
      if (query.purge) return accepted(await purges.resource(principal, kindIn(params), params.id))
      return deletedReply(await resources.remove(principal, kindIn(params), params.id))
    },
  })

  const restore = defineRoute({
    name: 'resources.restore',
    method: 'post',
    path: '/v1/resources/:catalog/:id/restore',
    summary: 'Restore a resource',
    description: ABOUT_RESTORE,
    tag,
    access: allowWriters('resources:write'),
    params,
    body: schemas.restoreBody,
    responses: { 200: theResource, 409: slugTaken },
    handler: async ({ principal, params, body }) =>
      ok(await resources.restore(principal, kindIn(params), params.id, body)),
  })

  const history = defineRoute({
    name: 'resources.history',
    method: 'get',
    path: '/v1/resources/:catalog/:id/history',
    summary: 'List versions of a resource',
    tag,
    access: allowReaders('resources:read'),
    params,
    query: pageQuery,
    responses: { 200: { description: 'A page of versions, latest first', schema: versionPage } },
    async handler({ principal, params, query }) {
      const { data, total } = await resources.history(principal, kindIn(params), params.id, query)
      return ok(page(data, total, query))
    },
  })

  const readVersion = defineRoute({
    name: 'resources.getVersion',
    method: 'get',
    path: '/v1/resources/:catalog/:id/versions/:version',
    summary: 'Read a resource version',
    tag,
    access: allowReaders('resources:read'),
    params: versionParams,
    responses: { 200: theResource },
    handler: async ({ principal, params }) =>
      ok(await resources.read(principal, kindIn(params), params.id, params.version)),
  })

  const users = defineRoute({
    name: 'resources.usedBy',
    method: 'get',
    path: '/v1/resources/:catalog/:id/used-by',
    summary: 'List references to a resource',
    description: ABOUT_USERS,
    tag,
    access: allowReaders('resources:read'),
    params,
    query: pageQuery,
    responses: { 200: { description: 'A page of resources', schema: referringPage } },
    async handler({ principal, params, query }) {
      const { data, total } = await resources.users(principal, kindIn(params), params.id, query)
      return ok(page(data, total, query))
    },
  })

  const diff = defineRoute({
    name: 'resources.diff',
    method: 'get',
    path: '/v1/resources/:catalog/:id/diff',
    summary: 'Compare versions of a resource',
    tag,
    access: allowReaders('resources:read'),
    params,
    query: diffQuery,
    responses: { 200: { description: 'The differences as an RFC 6902 patch', schema: resourceDiff } },
    handler: async ({ principal, params, query }) =>
      ok(await resources.diff(principal, kindIn(params), params.id, query)),
  })

  return [dryRun, list, create, read, patch, remove, restore, history, readVersion, users, diff]
}

/** Throws NotFound if the catalog is not a resource kind. */
function kindIn({ catalog }: { catalog: string }): ResourceKind {
  const definition = findResourceKind(catalog)
  if (!definition) throw new NotFound(`The resource kind "${catalog.slice(0, 100)}"`)
  return definition.kind
}
