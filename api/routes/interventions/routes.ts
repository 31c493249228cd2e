import type { JobsService } from '../../../services/jobs/types.ts'
import { allowReaders, allowWriters } from '../../routing/access.ts'
import { page } from '../../routing/page.ts'
import { ok } from '../../routing/reply.ts'
import { defineRoute } from '../../routing/route.ts'
import type { Route } from '../../routing/route.ts'
import { forkResponses, replyToFork } from '../jobs/fork.ts'
import * as schemas from './schemas.ts'

const tag = 'Interventions'

/** The interventions of all runs of a workspace. `POST /v1/jobs/:jobId/input` takes their answers. */
export function interventionRoutes({ jobs }: { jobs: JobsService }): Route[] {
  const list = defineRoute({
    name: 'interventions.list',
    method: 'get',
    path: '/v1/interventions',
    summary: 'List interventions',
    tag,
    access: allowReaders('interventions:read'),
    query: schemas.listQuery,
    responses: { 200: { description: 'A page of interventions', schema: schemas.interventionPage } },
    async handler({ principal, query: { status, assignee, ...query } }) {
      const filter = { ...query, statuses: status, assignees: assignee }
      const { data, total } = await jobs.interventions(principal, filter)
      return ok(page(data, total, query))
    },
  })

  const count = defineRoute({
    name: 'interventions.counts',
    method: 'get',
    path: '/v1/interventions/counts',
    summary: 'Count the open interventions, those of the caller and those of its groups',
    tag,
    access: allowReaders('interventions:read'),
    responses: { 200: { description: 'The numbers of open interventions', schema: schemas.interventionCounts } },
    handler: async ({ principal }) => ok(await jobs.countInterventions(principal)),
  })

  const read = defineRoute({
    name: 'interventions.get',
    method: 'get',
    path: '/v1/interventions/:id',
    summary: 'Read an intervention with its answers',
    tag,
    access: allowReaders('interventions:read'),
    params: schemas.interventionParams,
    responses: { 200: { description: 'The intervention', schema: schemas.intervention } },
    handler: async ({ principal, params }) => ok(await jobs.intervention(principal, params.id)),
  })

  const reopen = defineRoute({
    name: 'interventions.reopen',
    method: 'post',
    path: '/v1/interventions/:id/reopen',
    summary: 'Decide again, in a new run',
    description:
      'A fork of the run at the node of a closed intervention, for those who may decide. The run and its decision stay as they are, and the reason is kept. See `POST /v1/jobs/:jobId/fork`.',
    tag,
    access: allowWriters('interventions:answer'),
    params: schemas.interventionParams,
    body: schemas.reopenBody,
    idempotent: true,
    responses: forkResponses,
    handler: async ({ principal, params, body, idempotency }) =>
      replyToFork(await jobs.reopen(principal, params.id, body, idempotency)),
  })

  return [list, count, read, reopen]
}
