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

/** Routes for interventions from all runs in a workspace. `POST /v1/jobs/:jobId/input` accepts answers to them. */
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
    summary: 'Count open interventions',
    tag,
    access: allowReaders('interventions:read'),
    responses: {
      200: {
        description:
          "Counts of open interventions: all, those the caller may answer, and those assigned to the caller's groups",
        schema: interventionCounts,
      },
    },
    handler: async ({ principal }) => ok(await jobs.countInterventions(principal)),
  })

  const read = defineRoute({
    name: 'interventions.get',
    method: 'get',
    path: '/v1/interventions/:id',
    summary: 'Read an intervention',
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
    summary: 'Reopen a decision',
    description:
      "Forks the run at the node of a closed intervention. The caller must be allowed to decide. The original run and its decision don't change, and the reason is stored. See `POST /v1/jobs/:jobId/fork`.",
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
    summary: 'Answer several interventions',
    description:
      'Gives the same answer to several interventions. Each answer is accepted or refused separately. A dry run (`dry_run`) previews the outcome of each answer and returns the `shown_hash` that the actual request needs. The hash ensures that you answer only what you have seen. Repeating the request has no effect.',
    tag,
    access: allowWriters('interventions:answer'),
    body: bulkAnswersBody,
    responses: { 200: { description: 'Outcome of each answer', schema: bulkAnswersReply } },
    handler: async ({ principal, body: { items, dry_run, ...answer } }) =>
      ok(await bulkAnswers.answerMany(principal, items, answer, { dry_run })),
  })

  return [list, count, read, reopen, answerMany, ...taskRoutes(humanTasks)]
}

const taskResponses = {
  200: { description: 'Current assignment of the intervention', schema: taskState },
  409: {
    description: 'CLAIMED: another person has claimed the intervention. The message names that person.',
    schema: errorBody,
  },
}

/** Routes that change an intervention without answering it. */
function taskRoutes(humanTasks: HumanTasksService): Route[] {
  const common = { method: 'post', tag, params: interventionParams, idempotent: true } as const
  const claim = defineRoute({
    ...common,
    name: 'interventions.claim',
    path: '/v1/interventions/:id/claim',
    summary: 'Claim an intervention',
    access: allowWriters('interventions:answer'),
    responses: taskResponses,
    handler: async ({ principal, params, idempotency }) =>
      ok(await humanTasks.change(principal, params.id, { type: 'claim' }, idempotency)),
  })

  const release = defineRoute({
    ...common,
    name: 'interventions.release',
    path: '/v1/interventions/:id/release',
    summary: 'Release a claimed intervention',
    access: allowWriters('interventions:answer'),
    responses: taskResponses,
    handler: async ({ principal, params, idempotency }) =>
      ok(await humanTasks.change(principal, params.id, { type: 'release' }, idempotency)),
  })

  const delegate = defineRoute({
    ...common,
    name: 'interventions.delegate',
    path: '/v1/interventions/:id/delegate',
    summary: 'Delegate an intervention',
    description:
      'Transfers the right to answer to another person. The caller may then no longer answer. The four-eyes rule and the quorum also apply to the other person.',
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
    summary: 'Reassign an intervention',
    description:
      'Replaces the current assignees. Ends the current claim and all delegations. A requester who may not decide may not reassign the intervention either.',
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
    summary: 'Comment on an open intervention',
    access: allowWriters('interventions:answer'),
    body: commentBody,
    responses: { 200: { description: 'The comment', schema: changeView } },
    handler: async ({ principal, params, body, idempotency }) =>
      ok(await humanTasks.comment(principal, params.id, body.comment, idempotency)),
  })

  return [claim, release, delegate, reassign, comment]
}
