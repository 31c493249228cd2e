import type { JobsService } from '../../../services/jobs/types.ts'
import type { PathwaysService } from '../../../services/pathways/types.ts'
import { etag, expectedVersion } from '../../routing/if-match.ts'
import { page } from '../../routing/page.ts'
import { accepted, created, noContent, ok } from '../../routing/reply.ts'
import { defineRoute } from '../../routing/route.ts'
import type { Route } from '../../routing/route.ts'
import { jobAccepted } from '../jobs/schemas.ts'
import { listQuery, pageQuery, versionPage } from '../resources/schemas.ts'
import * as schemas from './schemas.ts'

interface Deps {
  pathways: PathwaysService
  jobs: JobsService
}

const tag = 'Pathways'
const params = schemas.pathwayParams
const thePathway = { description: 'The pathway', schema: schemas.pathway }

/** Pathways as a product: graphs that are stored, versioned and run. */
export function pathwayRoutes({ pathways, jobs }: Deps): Route[] {
  const list = defineRoute({
    method: 'get',
    path: '/v1/pathways',
    summary: 'List pathways',
    tag,
    auth: 'key',
    query: listQuery,
    responses: { 200: { description: 'A page of pathways', schema: schemas.pathwayPage } },
    async handler({ who, query }) {
      const { data, total } = await pathways.list(who, query)
      return ok(page(data, total, query))
    },
  })

  const create = defineRoute({
    method: 'post',
    path: '/v1/pathways',
    summary: 'Create a pathway',
    description: 'The definition is checked as a whole: the answer lists every problem in it.',
    tag,
    auth: 'key',
    body: schemas.createBody,
    idempotent: true,
    responses: { 201: thePathway },
    async handler({ who, body, idempotency }) {
      const pathway = await pathways.create(who, body, idempotency)
      return created(`/v1/pathways/${pathway.id}`, pathway)
    },
  })

  const read = defineRoute({
    method: 'get',
    path: '/v1/pathways/:id',
    summary: 'Read a pathway, now or as it was',
    tag,
    auth: 'key',
    params,
    query: schemas.versionQuery,
    responses: { 200: thePathway },
    async handler({ who, params, query }) {
      const pathway = await pathways.read(who, params.id, query.version)
      return ok(pathway, etag(pathway.version))
    },
  })

  const patch = defineRoute({
    method: 'patch',
    path: '/v1/pathways/:id',
    summary: 'Change a pathway',
    description: 'Makes a new version. Runs in flight keep the version they were started with.',
    tag,
    auth: 'key',
    params,
    body: schemas.patchBody,
    conditional: true,
    responses: { 200: thePathway },
    async handler({ who, params, body, ctx }) {
      const { expected_version, ...fields } = body
      const pathway = await pathways.patch(who, params.id, fields, expectedVersion(ctx, expected_version))
      return ok(pathway, etag(pathway.version))
    },
  })

  const remove = defineRoute({
    method: 'delete',
    path: '/v1/pathways/:id',
    summary: 'Delete a pathway',
    description: 'It can be restored. Runs in flight go on.',
    tag,
    auth: 'key',
    params,
    responses: { 204: { description: 'Deleted' } },
    async handler({ who, params }) {
      await pathways.remove(who, params.id)
      return noContent()
    },
  })

  const restore = defineRoute({
    method: 'post',
    path: '/v1/pathways/:id/restore',
    summary: 'Bring back a deleted pathway',
    tag,
    auth: 'key',
    params,
    responses: { 200: thePathway },
    handler: async ({ who, params }) => ok(await pathways.restore(who, params.id)),
  })

  const history = defineRoute({
    method: 'get',
    path: '/v1/pathways/:id/history',
    summary: 'List the versions of a pathway, latest first',
    tag,
    auth: 'key',
    params,
    query: pageQuery,
    responses: { 200: { description: 'A page of versions', schema: versionPage } },
    async handler({ who, params, query }) {
      const { data, total } = await pathways.history(who, params.id, query)
      return ok(page(data, total, query))
    },
  })

  const dryRun = defineRoute({
    method: 'post',
    path: '/v1/pathways/:id/dry-run',
    summary: 'Walk a pathway without running anything',
    description: 'Nodes that would act take the outputs given for them; the walk stops where one is missing.',
    tag,
    auth: 'key',
    params,
    body: schemas.dryRunBody,
    responses: { 200: { description: 'What would run', schema: schemas.dryRun } },
    handler: async ({ who, params, body }) => ok(await pathways.dryRun(who, params.id, body ?? {})),
  })

  const execute = defineRoute({
    method: 'post',
    path: '/v1/pathways/:id/execute',
    summary: 'Start a run',
    tag,
    auth: 'key',
    params,
    body: schemas.executeBody,
    idempotent: true,
    responses: { 202: { description: 'The run is accepted', schema: jobAccepted } },
    async handler({ who, params, body, idempotency }) {
      const input = body?.input ?? body?.data
      return accepted(await jobs.start(who, { pathway_id: params.id, input }, idempotency))
    },
  })

  return [list, create, read, patch, remove, restore, history, dryRun, execute]
}
