import type { JobsService } from '../../../services/runs/jobs.ts'
import { allowReaders, allowWriters } from '../../routing/access.ts'
import { page } from '../../routing/page.ts'
import { ok } from '../../routing/reply.ts'
import { defineRoute, type Route } from '../../routing/route.ts'
import type { BulkAnswers } from '../../../services/people/bulk-answers.ts'
import type { HumanTasksService } from '../../../services/people/human-tasks.ts'
import { errorBody } from '../../../contract/shared/error.ts'
import { forkResponses, replyToFork } from '../runs/jobs/fork.ts'
import {
  interventionsQuery,
  interventionPage,
  interventionCounts,
  interventionParams,
  interventionView,
  reopenBody,
  changeView,
} from '../../../contract/people/intervention.ts'
import { bulkAnswersBody, bulkAnswersReply } from '../../../contract/people/bulk-answers.ts'
import { taskState, delegateBody, reassignBody, commentBody } from '../../../contract/people/task.ts'

const tag = 'Interventions'

/** The interventions of all runs of a workspace. `POST /v1/jobs/:jobId/input` takes their answers. */
export function interventionRoutes({
  jobs,
  humanTasks,
  bulkAnswers,
}: {
  jobs: JobsService
  humanTasks: HumanTasksService
  bulkAnswers: BulkAnswers
}): Route[] {
  const list = defineRoute({
    name: 'interventions.list',
    method: 'get',
    path: '/v1/interventions',
    summary: 'List interventions',
    tag,
    access: allowReaders('interventions:read'),
    query: interventionsQuery,
    responses: { 200: { description: 'A page of interventions', schema: interventionPage } },
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
    responses: { 200: { description: 'The numbers of open interventions', schema: interventionCounts } },
    handler: async ({ principal }) => ok(await jobs.countInterventions(principal)),
  })

  const read = defineRoute({
    name: 'interventions.get',
    method: 'get',
    path: '/v1/interventions/:id',
    summary: 'Read an intervention with its answers',
    tag,
    access: allowReaders('interventions:read'),
    params: interventionParams,
    responses: { 200: { description: 'The intervention', schema: interventionView } },
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
    params: interventionParams,
    body: reopenBody,
    idempotent: true,
    responses: forkResponses,
    handler: async ({ principal, params, body, idempotency }) =>
      replyToFork(await jobs.reopen(principal, params.id, body, idempotency)),
  })

  const answerMany = defineRoute({
    name: 'interventions.answerMany',
    method: 'post',
    path: '/v1/interventions/answers',
    summary: 'Give one answer to many interventions, or preview it',
    description:
      'Each is accepted or refused by itself. A preview (`dry_run`) says what would become of each and has the `shown_hash` that the answer then needs, so that only what was seen is answered. The same request again changes nothing.',
    tag,
    access: allowWriters('interventions:answer'),
    body: bulkAnswersBody,
    responses: { 200: { description: 'What became of each', schema: bulkAnswersReply } },
    handler: async ({ principal, body: { items, dry_run, ...answer } }) =>
      ok(await bulkAnswers.answerMany(principal, items, answer, { dry_run })),
  })

  return [list, count, read, reopen, answerMany, ...taskRoutes(humanTasks)]
}

const taskResponses = {
  200: { description: 'Who deals with it now', schema: taskState },
  409: { description: 'CLAIMED: another person has claimed it. The message says who', schema: errorBody },
}

/** What people do with an intervention without answering it. */
function taskRoutes(humanTasks: HumanTasksService): Route[] {
  const common = { method: 'post', tag, params: interventionParams, idempotent: true } as const
  const claim = defineRoute({
    ...common,
    name: 'interventions.claim',
    path: '/v1/interventions/:id/claim',
    summary: 'Claim an intervention, so that no other person answers it',
    access: allowWriters('interventions:answer'),
    responses: taskResponses,
    handler: async ({ principal, params, idempotency }) =>
      ok(await humanTasks.change(principal, params.id, { type: 'claim' }, idempotency)),
  })

  const release = defineRoute({
    ...common,
    name: 'interventions.release',
    path: '/v1/interventions/:id/release',
    summary: 'End the claim of the caller',
    access: allowWriters('interventions:answer'),
    responses: taskResponses,
    handler: async ({ principal, params, idempotency }) =>
      ok(await humanTasks.change(principal, params.id, { type: 'release' }, idempotency)),
  })

  const delegate = defineRoute({
    ...common,
    name: 'interventions.delegate',
    path: '/v1/interventions/:id/delegate',
    summary: 'Hand over the right to answer to another person',
    description: 'The caller may not answer any more. Four eyes and the quorum hold for the other person too.',
    access: allowWriters('interventions:answer'),
    body: delegateBody,
    responses: taskResponses,
    handler: async ({ principal, params, body, idempotency }) =>
      ok(await humanTasks.change(principal, params.id, { type: 'delegate', ...body }, idempotency)),
  })

  const reassign = defineRoute({
    ...common,
    name: 'interventions.reassign',
    path: '/v1/interventions/:id/reassign',
    summary: 'Say who may answer instead of the present assignees',
    description: 'Ends a claim and all delegations. Who started a run and may not decide may not reassign either.',
    access: allowWriters('jobs:control'),
    body: reassignBody,
    responses: { 200: taskResponses[200] },
    handler: async ({ principal, params, body, idempotency }) =>
      ok(await humanTasks.change(principal, params.id, { type: 'reassign', ...body }, idempotency)),
  })

  const comment = defineRoute({
    ...common,
    name: 'interventions.comment',
    path: '/v1/interventions/:id/comments',
    summary: 'Comment on an open intervention without answering it',
    access: allowWriters('interventions:answer'),
    body: commentBody,
    responses: { 200: { description: 'The comment', schema: changeView } },
    handler: async ({ principal, params, body, idempotency }) =>
      ok(await humanTasks.comment(principal, params.id, body.comment, idempotency)),
  })

  return [claim, release, delegate, reassign, comment]
}
