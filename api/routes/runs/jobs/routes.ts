import { checkWorkspace } from '../../../../services/access/workspaces.ts'
import type { JobsService } from '../../../../services/runs/jobs.ts'
import type { BulkJobs } from '../../../../services/runs/bulk/bulk-jobs.ts'
import type { Purges } from '../../../../services/audit/purges/purges.ts'
import { isTerminal } from '../../../../domain/runs/jobs.ts'
import { allowReaders, allowWriters } from '../../../routing/access.ts'
import { accepted, ok } from '../../../routing/reply.ts'
import { errorBody } from '../../../../contract/shared/error.ts'
import { defineRoute, type Route } from '../../../routing/route.ts'
import type { SseServer } from '../../../sse/sse-server.ts'
import { bulkRoute } from './bulk.ts'
import * as diagnoses from '../../../../contract/runs/diagnosis.ts'
import { jobEvent, streamQuery } from '../../../../contract/runs/event.ts'
import { forkBody, retryBody } from '../../../../contract/runs/fork.ts'
import { forkResponses, replyToFork } from './fork.ts'
import { jobPage, jobCounts, jobDetail, jobView, type JobDetail } from '../../../../contract/runs/job.ts'
import { runDefinitionView } from '../../../../contract/runs/definition.ts'
import {
  jobState,
  jobParams,
  startBody,
  jobAccepted,
  cancelledJob,
  resumeBody,
  resumedJob,
} from '../../../../contract/runs/control.ts'
import { migrationRoutes } from './migrate.ts'
import { resumePoint } from './resume-point.ts'
import { jobsQuery, jobCountsQuery, jobCausesQuery } from '../../../../contract/runs/filter.ts'
import { inputBody, answerReply } from '../../../../contract/people/answer.ts'
import type { NodeView } from '../../../../contract/runs/node.ts'

interface Services {
  jobs: JobsService
  bulkJobs: BulkJobs
  purges: Pick<Purges, 'job'>
}

const tag = 'Jobs'
const params = jobParams

/** Routes for jobs: start, stream, answer, pause, resume, cancel and purge runs. */
export function jobRoutes({ jobs, bulkJobs, purges }: Services, { streams }: { streams: SseServer }): Route[] {
  const start = defineRoute({
    name: 'jobs.start',
    method: 'post',
    path: '/v1/jobs',
    summary: 'Start a run',
    tag,
    access: allowWriters('jobs:start'),
    body: startBody,
    idempotent: true,
    responses: {
      202: { description: 'The run was accepted', schema: jobAccepted },
      404: { description: 'The pathway or its version does not exist', schema: errorBody },
    },
    async handler({ principal, body, idempotency }) {
      const { pathway_id, pathway, input, data } = body
      return accepted(await jobs.start(principal, { pathway_id, pathway, input: input ?? data }, idempotency))
    },
  })

  const list = defineRoute({
    name: 'jobs.list',
    method: 'get',
    path: '/v1/jobs',
    summary: 'List jobs, latest first',
    tag,
    access: allowReaders('jobs:read'),
    query: jobsQuery,
    responses: { 200: { description: 'A page of jobs', schema: jobPage } },
    async handler({ principal, query: { status: statuses, outcome: outcomes, ...filter } }) {
      return ok(await jobs.list(principal, { ...filter, statuses, outcomes }))
    },
  })

  const count = defineRoute({
    name: 'jobs.counts',
    method: 'get',
    path: '/v1/jobs/counts',
    summary: 'Count jobs by status and outcome',
    description: 'Counts the jobs that match the filters of the list, by status and outcome.',
    tag,
    access: allowReaders('jobs:read'),
    query: jobCountsQuery,
    responses: { 200: { description: 'Job counts', schema: jobCounts } },
    handler: async ({ principal, query }) => ok(await jobs.count(principal, query)),
  })

  const causes = defineRoute({
    name: 'jobs.causes',
    method: 'get',
    path: '/v1/jobs/diagnosis',
    summary: 'Count jobs by diagnosis',
    description:
      'Accepts the filters of the list. Examines the 200 oldest open jobs, for at most 2 seconds. `not_examined` counts the remaining jobs.',
    tag,
    access: allowReaders('jobs:read'),
    query: jobCausesQuery,
    responses: { 200: { description: 'Job counts', schema: diagnoses.diagnosisCounts } },
    handler: async ({ principal, query: { status: statuses, outcome: outcomes, ...filter } }) =>
      ok(await jobs.countCauses(principal, { ...filter, statuses, outcomes })),
  })

  const diagnosis = defineRoute({
    name: 'jobs.diagnosis',
    method: 'get',
    path: '/v1/jobs/:jobId/diagnosis',
    summary: 'Diagnose a job',
    description:
      'Returns one cause, its start, the evidence and the recommended action within 2 seconds. `missing` names evidence that could not be read in time. The cause is correct without it.',
    tag,
    access: allowReaders('jobs:read'),
    params,
    responses: { 200: { description: 'The diagnosis', schema: diagnoses.diagnosisView } },
    handler: async ({ principal, params }) => ok(await jobs.diagnosis(principal, params.jobId)),
  })

  const definition = defineRoute({
    name: 'jobs.definition',
    method: 'get',
    path: '/v1/jobs/:jobId/definition',
    summary: "Read a run's definition",
    tag,
    access: allowReaders('jobs:read'),
    params,
    responses: { 200: { description: 'The pinned pathway version and its definition', schema: runDefinitionView } },
    handler: async ({ principal, params }) => ok(await jobs.definition(principal, params.jobId)),
  })

  const read = defineRoute({
    name: 'jobs.get',
    method: 'get',
    path: '/v1/jobs/:jobId',
    summary: 'Read a job',
    tag,
    access: allowReaders('jobs:read'),
    params,
    responses: { 200: { description: 'The job and its nodes', schema: jobDetail } },
    handler: async ({ principal, params }) => ok(presentDetail(await jobs.detail(principal, params.jobId))),
  })

  const status = defineRoute({
    name: 'jobs.status',
    method: 'get',
    path: '/v1/jobs/:jobId/status',
    summary: "Read a job's status",
    tag,
    access: allowReaders('jobs:read'),
    params,
    responses: { 200: { description: 'The job', schema: jobView } },
    handler: async ({ principal, params }) => ok(await jobs.status(principal, params.jobId)),
  })

  const stream = defineRoute({
    name: 'jobs.stream',
    method: 'get',
    path: '/v1/jobs/:jobId/stream',
    summary: "Stream a job's events",
    description:
      'Server-sent events: `id: <stream id>`, then `data: <JSON>` with the schema JobEvent. Lines that ' +
      'start with a colon are keep-alives. Retained events come first. The stream ends after `complete` or ' +
      '`error`. To resume, pass the last id as `after` or as `Last-Event-ID`. A `gap` event means that ' +
      'earlier events are no longer retained. The current state of the job follows the `gap` event.',
    tag,
    access: allowReaders('jobs:read'),
    params,
    query: streamQuery,
    responses: {
      200: { description: 'The events', schema: jobEvent, mediaType: 'text/event-stream' },
      204: {
        description:
          'The run has ended, and the reconnecting client, which sent `Last-Event-ID`, has already received all events',
      },
    },
    async handler({ principal, params, query, ctx }) {
      await streams.serve(ctx, principal, params.jobId, resumePoint(ctx, query.after))
      return 'streamed'
    },
  })

  const cancel = defineRoute({
    name: 'jobs.cancel',
    method: 'post',
    effect: 'stop',
    path: '/v1/jobs/:jobId/cancel',
    summary: 'Cancel a job',
    description:
      'Stops running nodes, and compensates completed nodes that define a compensation. The receipt lists the outcome of each node.',
    tag,
    access: allowWriters('jobs:control'),
    params,
    responses: {
      200: { description: 'The job was cancelled', schema: cancelledJob },
      202: {
        description: 'The run has not responded yet. It will stop as soon as it responds.',
        schema: cancelledJob,
      },
    },
    async handler({ principal, params }) {
      const cancelled = await jobs.cancel(principal, params.jobId)
      return isTerminal(cancelled.status) ? ok(cancelled) : accepted(cancelled)
    },
  })

  const remove = defineRoute({
    name: 'jobs.purge',
    method: 'delete',
    path: '/v1/jobs/:jobId',
    summary: 'Purge a job',
    description:
      'Permanently removes the content of a job. A job of the kind `purge` removes the inputs, results, ' +
      'nodes, streams and payloads of the job and its child runs, and the recording for a transcription. ' +
      'An open run is cancelled first. The job record is kept without content, with `purged_at` set. To ' +
      'remove the jobs in a thread, delete the thread. To remove the jobs of an asset or meeting, purge ' +
      'the resource.',
    tag,
    access: allowWriters('jobs:control'),
    params,
    responses: { 202: { description: 'Accepted. The job removes the content.', schema: jobAccepted } },
    handler: async ({ principal, params }) => accepted(await purges.job(principal, params.jobId)),
  })

  const pause = defineRoute({
    name: 'jobs.pause',
    method: 'post',
    effect: 'stop',
    path: '/v1/jobs/:jobId/pause',
    summary: 'Pause a job',
    tag,
    access: allowWriters('jobs:control'),
    params,
    responses: { 200: { description: 'The job is paused', schema: jobState } },
    handler: async ({ principal, params }) => ok(await jobs.pause(principal, params.jobId)),
  })

  const resume = defineRoute({
    name: 'jobs.resume',
    method: 'post',
    path: '/v1/jobs/:jobId/resume',
    summary: 'Resume a job or deliver an event',
    description:
      'Continues a paused job. If the job is not paused, completes the current `wait` nodes of the job and ' +
      'its child runs. With `event`, only those nodes of this job complete that wait for that event. They ' +
      'get `data` as output, and `delivered_to` lists their keys. If no node is waiting for the event, it ' +
      'is kept.',
    tag,
    access: allowWriters('jobs:control'),
    params,
    body: resumeBody,
    idempotent: true,
    responses: {
      200: { description: 'Status of the job', schema: resumedJob },
      409: { description: 'The job is waiting for answers from people. The message names them.', schema: errorBody },
    },
    async handler({ principal, params, body: { event, data }, idempotency }) {
      const named = event === undefined ? undefined : { event, data, idempotency }
      return ok(await jobs.resume(principal, params.jobId, named))
    },
  })

  const fork = defineRoute({
    name: 'jobs.fork',
    method: 'post',
    path: '/v1/jobs/:jobId/fork',
    summary: 'Fork a run',
    description:
      'Starts a new run that reuses the outputs and decisions before `from_node` and continues from that ' +
      'node. The requester stays the same. Effects get new idempotency keys. A dry run lists the reused ' +
      'nodes, the nodes that run, and the effects that happen a second time.',
    tag,
    access: allowWriters('jobs:start'),
    params,
    body: forkBody,
    idempotent: true,
    responses: forkResponses,
    handler: async ({ principal, params, body, idempotency }) =>
      replyToFork(await jobs.fork(principal, params.jobId, body, idempotency)),
  })

  const retry = defineRoute({
    name: 'jobs.retry',
    method: 'post',
    path: '/v1/jobs/:jobId/retry',
    summary: 'Retry a failed run',
    description:
      'Starts a new run with all steps that the failed run did not complete. Compensated steps run again. See `POST /v1/jobs/:jobId/fork`.',
    tag,
    access: allowWriters('jobs:start'),
    params,
    body: retryBody,
    idempotent: true,
    responses: forkResponses,
    handler: async ({ principal, params, body, idempotency }) =>
      replyToFork(await jobs.retry(principal, params.jobId, body, idempotency)),
  })

  const input = defineRoute({
    name: 'jobs.answer',
    method: 'post',
    path: '/v1/jobs/:jobId/input',
    summary: 'Answer an intervention',
    description:
      'The answer must fit the named open intervention. A refused answer does not change the run. If no worker processes the answer in time, the response is 202 with `pending: true`. A pending answer may still count, and you cannot withdraw it. Repeating the same answer returns the same outcome. A different answer gets 409 until the outcome of the first answer is known. After `decided: true`, every read returns the decision.',
    tag,
    access: allowWriters('interventions:answer'),
    params,
    body: inputBody,
    idempotent: true,
    responses: {
      200: { description: 'The answer was accepted', schema: answerReply },
      202: { description: 'The answer is pending', schema: answerReply },
    },
    async handler({ principal, params, body, idempotency }) {
      checkWorkspace(principal, body.workspace_id)
      const { interventionId, type: _, ...answer } = body.input
      const reply = await jobs.answer(principal, params.jobId, interventionId, answer, idempotency)
      return reply.pending ? accepted(reply) : ok(reply)
    },
  })

  return [
    start,
    bulkRoute(bulkJobs),
    list,
    count,
    causes,
    read,
    definition,
    diagnosis,
    status,
    stream,
    cancel,
    remove,
    pause,
    resume,
    fork,
    retry,
    input,
    ...migrationRoutes(jobs),
  ]
}

/** Presents a job with its nodes. Omits the streamed text, because clients get it from the stream. */
const presentDetail = (job: JobDetail): JobDetail => ({ ...job, nodes: job.nodes.map(omitTranscript) })

function omitTranscript(node: NodeView & { transcript?: string }): NodeView {
  const { transcript: _, ...fields } = node
  return fields
}
