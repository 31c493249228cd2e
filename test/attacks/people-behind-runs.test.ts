import { randomUUID } from 'node:crypto'
import { sign } from '@octokit/webhooks-methods'
import type { Evidence } from '../../contract/people/evidence.ts'
import type { ForkStarted } from '../../contract/runs/fork.ts'
import { type Actor, createActor, GROUP } from '../support/shared/cast.ts'
import { type ApiClient, createClient } from '../support/clients/client.ts'
import { callTool, refusedTool } from '../support/tools/mcp.ts'
import { waitUntil } from '../support/stack/process.ts'
import { answer, jobWith, pathway, startRun } from '../support/runs/runs.ts'
import { useStack } from '../support/stack/use-stack.ts'
import type { IssuedHookToken } from '../../contract/triggers/hook.ts'
import type { FiringView } from '../../contract/triggers/firing.ts'

/** People who start, trigger, continue or change a run cannot decide anything in it, by any route. Other people can. */

const context = useStack()

const NAMES = ['req', 'cause', 'author', 'changer', 'deputy', 'absent', 'out'] as const
const cast = {} as Record<(typeof NAMES)[number], Actor>

const REVIEW = {
  id: 'review',
  type: 'human',
  kind: 'approval',
  title: 'Pay?',
  assignees: [GROUP, 'user:deputy', 'user:absent'],
  exclude_requester: true,
}
/** Returns a definition that asks for a review after the nodes, and ends with the given output. */
const guarded = (nodes: { id: string; type: string; [field: string]: unknown }[] = [], output = 'paid') =>
  pathway(
    [...nodes, REVIEW, { id: 'z', type: 'end', output }],
    ...nodes.map(({ id }) => `${id} > review`),
    'review.approve > z',
    'review.reject > z',
  )
const WAITING = { id: 'hold', type: 'wait', event: 'go', timeout: 'PT1H' }

/** Sends a request that must succeed. */
async function send<T = { id: string; job_id: string }>(by: ApiClient, path: string, body?: object): Promise<T> {
  const reply = await by.post<T>(path, body)
  if (reply.status >= 300) throw new Error(`${path}: ${reply.status} ${JSON.stringify(reply.body)}`)
  return reply.body
}

const createPathway = async (by: ApiClient, definition: object): Promise<string> =>
  (await send(by, '/v1/pathways', { title: `Pay ${randomUUID()}`, definition })).id

let pathwayId = ''
let receptor = ''

/** Creates a trigger for the guarded pathway. The author saves the trigger. */
const createTrigger = async (fields: object): Promise<string> => {
  const target = { type: 'pathway', ref: pathwayId }
  return (await send(cast.author.client, '/v1/triggers', { title: 'Pays', target, input: {}, ...fields })).id
}

/** Returns the first run that the trigger starts. */
async function firedRun(triggerId: string): Promise<string> {
  const read = () => cast.out.client.get<{ data: FiringView[] }>(`/v1/triggers/${triggerId}/runs`)
  const firing = await waitUntil(async () => (await read()).body.data.find(({ decision }) => decision === 'fired'))
  await cast.author.client.del(`/v1/triggers/${triggerId}`)
  return firing?.job_id ?? ''
}

const say = (by: ApiClient) =>
  send(by, `/v1/receptors/${context.workspace.slug}/${receptor}/invoke`, { message: 'Pay the invoice.' })

/** Sends a visitor's message to the receptor, using a share token. */
const sayWith = async (token: string, slug = receptor) =>
  send<{ job_id: string; trace_id: string }>(
    createClient(context.stack.baseUrl),
    `/v1/public/receptors/${context.workspace.slug}/${slug}/invoke`,
    { t: token, message: 'Pay.' },
  )

/** Returns a run that was decided by a person not involved in it. */
async function decidedRun(definition: object = guarded()): Promise<string> {
  const jobId = await startRun(cast.req.client, definition)
  const { id } = await questionOf(jobId)
  await answer(cast.out.client, context.workspace.id, jobId, id, { action: 'approve' })
  await jobWith(cast.out.client, jobId)
  return jobId
}

const fork = async (by: Actor, jobId: string, body: object) =>
  (await send<ForkStarted>(by.client, `/v1/jobs/${jobId}/fork`, body)).job_id

/** Returns a run that failed at its first node. The node succeeds when it runs again. */
async function failedRun(): Promise<{ pathway: string; jobId: string }> {
  const url = `${context.ledger.url}/${randomUUID()}?fail=1`
  // The request has no Idempotency-Key, because a retry is a new request.
  const call = { id: 'call', type: 'http', with: { method: 'GET', url }, retry: { max_attempts: 1 } }
  const id = await createPathway(cast.author.client, guarded([call]))
  const { job_id: jobId } = await send(cast.req.client, `/v1/pathways/${id}/execute`, { input: {} })
  await jobWith(cast.out.client, jobId, 'failed')
  return { pathway: id, jobId }
}

/** Returns the run that a bulk retry started. */
const retryOf = (jobId: string) =>
  waitUntil(async () => {
    const { body } = await cast.out.client.get<{ forks?: { job_id: string }[] }>(`/v1/jobs/${jobId}`)
    return body.forks?.[0]?.job_id
  })

/** Returns an open run of a pathway whose second version was saved by someone else. */
async function outdatedRun(): Promise<{ pathway: string; jobId: string }> {
  const id = await createPathway(cast.author.client, guarded())
  const { job_id: jobId } = await send(cast.req.client, `/v1/pathways/${id}/execute`, { input: {} })
  await jobWith(cast.out.client, jobId, 'waiting')
  await cast.changer.client.patch(`/v1/pathways/${id}`, { definition: guarded([], 'paid twice') })
  return { pathway: id, jobId }
}

interface Started {
  jobId: string
  behind: Actor[]
}

const WAYS: Record<string, () => Promise<Started>> = {
  'executed with an API key': async () => ({
    jobId: (await send(cast.req.client, `/v1/pathways/${pathwayId}/execute`, { input: {} })).job_id,
    behind: [cast.req],
  }),
  'executed in a session': async () => {
    const { body } = await cast.req.session.send('POST', `/v1/pathways/${pathwayId}/execute`, { input: {} })
    return { jobId: (body as unknown as { job_id: string }).job_id, behind: [cast.req] }
  },
  'executed with a service key': async () => ({
    jobId: (await send(cast.req.robot, `/v1/pathways/${pathwayId}/execute`, { input: {} })).job_id,
    behind: [cast.req],
  }),
  'executed by the creator of a service key without an owner': async () => {
    const { body } = await cast.req.session.send('POST', '/v1/api-keys', { name: `made-${randomUUID()}` })
    const key = createClient(context.stack.baseUrl, body.api_key)
    return { jobId: (await send(key, `/v1/pathways/${pathwayId}/execute`, { input: {} })).job_id, behind: [cast.req] }
  },
  'executed through MCP': async () => {
    const { job_id: jobId } = await callTool<{ job_id: string }>(cast.req.mcp, 'run_pathway', { pathway: pathwayId })
    return { jobId, behind: [cast.req] }
  },
  'started as a child run': async () => {
    const child = { id: 'child', type: 'pathway', ref: pathwayId }
    const definition = pathway([child, { id: 'z', type: 'end', output: 'paid' }], 'child > z')
    return { jobId: await startRun(cast.req.client, definition), behind: [cast.req] }
  },
  'started by a message': async () => ({ jobId: (await say(cast.req.client)).job_id, behind: [cast.req] }),
  'started by a visitor with a share token': async () => {
    const target = { type: 'receptor', id: receptor }
    const { body } = await cast.req.session.send('POST', '/v1/share-tokens', { name: 'door', target })
    return { jobId: (await sayWith(body.share_token)).job_id, behind: [cast.req] }
  },
  'started by a visitor with a share token from a service key': async () => {
    const target = { type: 'receptor', id: receptor }
    const { share_token } = await send<{ share_token: string }>(cast.req.robot, '/v1/share-tokens', {
      name: 'door',
      target,
    })
    return { jobId: (await sayWith(share_token)).job_id, behind: [cast.req] }
  },
  'continued by the answer of the visitor who started it': async () => {
    const details = { id: 'details', type: 'human', kind: 'form', form: {}, assignees: ['${run.requester}'] }
    const asking = pathway(
      [details, REVIEW, { id: 'z', type: 'end', output: 'paid' }],
      'details.submit_input > review',
      'review.approve > z',
      'review.reject > z',
    )
    const target = { type: 'pathway', ref: await createPathway(cast.author.client, asking) }
    const { slug } = await send<{ slug: string }>(cast.author.client, '/v1/receptors', { title: 'Forms', target })
    const share = { name: 'door', target: { type: 'receptor', id: slug } }
    const { share_token: t } = await send<{ share_token: string }>(cast.req.client, '/v1/share-tokens', share)
    const { job_id: jobId, trace_id: trace } = await sayWith(t, slug)
    const form = await questionOf(jobId)
    const input = { type: 'intervention_response', interventionId: form?.id, action: 'submit_input', data: {} }
    await send(createClient(context.stack.baseUrl), `/v1/public/jobs/${jobId}/input`, { t, trace, input })
    await waitUntil(async () => (await questionOf(jobId))?.id !== form?.id)
    return { jobId, behind: [cast.req] }
  },
  'fired by a schedule': async () => {
    const id = await createTrigger({ trigger_type: 'schedule', schedule: { interval: { every: 'PT2S' } } })
    return { jobId: await firedRun(id), behind: [cast.author] }
  },
  'fired by a backfill': async () => {
    const schedule = { cron: '0 0 1 1 *', overlap: 'allow' }
    const id = await createTrigger({ trigger_type: 'schedule', schedule })
    const year = new Date().getUTCFullYear()
    const period = { from: `${year}-01-01T00:00:00Z`, to: `${year}-01-01T01:00:00Z` }
    await waitUntil(async () => (await cast.cause.client.post(`/v1/triggers/${id}/backfill`, period)).status === 202)
    return { jobId: await firedRun(id), behind: [cast.author, cast.cause] }
  },
  'fired by a hook with a token and a secret set by others': async () => {
    const webhook = { signature: { scheme: 'github' } }
    const id = await createTrigger({ trigger_type: 'webhook', webhook })
    const { url } = await send<IssuedHookToken>(cast.cause.client, `/v1/triggers/${id}/rotate-token`)
    const secret = 'a secret of more than thirty-two characters'
    await send(cast.changer.client, `/v1/triggers/${id}/rotate-secret`, { secret })
    const { pathname } = new URL(url, 'http://own')
    const reply = await createClient(context.stack.baseUrl).call('POST', pathname, undefined, {
      raw: '{}',
      headers: {
        'Content-Type': 'application/json',
        'X-GitHub-Delivery': randomUUID(),
        'X-Hub-Signature-256': await sign(secret, '{}'),
      },
    })
    expect([reply.status, reply.body]).toMatchObject([202, {}])
    return { jobId: await firedRun(id), behind: [cast.author, cast.cause, cast.changer] }
  },
  'fired by a resource change': async () => {
    const path = `/p-${randomUUID()}`
    const id = await createTrigger({ trigger_type: 'event', event: { types: ['resource.created'], path } })
    await send(cast.cause.client, '/v1/skills', { title: 'Note', path, instructions: 'Pay.' })
    return { jobId: await firedRun(id), behind: [cast.author, cast.cause] }
  },
  'fired by the end of another run': async () => {
    const event = { types: ['job.completed'] }
    const id = await createTrigger({ trigger_type: 'event', event })
    await startRun(cast.cause.client, pathway([{ id: 'z', type: 'end', output: 1 }]))
    return { jobId: await firedRun(id), behind: [cast.author, cast.cause] }
  },
  'fired by a message': async () => {
    const id = await createTrigger({ trigger_type: 'chat', chat: { receptor, phrases: ['pay'], mentions: [] } })
    await say(cast.cause.robot)
    return { jobId: await firedRun(id), behind: [cast.author, cast.cause] }
  },
  'fired manually, and again': async () => {
    const id = await createTrigger({ trigger_type: 'manual' })
    const fired = await send<FiringView>(cast.cause.client, `/v1/triggers/${id}/fire`, {})
    const { body } = await cast.changer.client.post<FiringView>(`/v1/triggers/${id}/runs/${fired.id}/replay`, {})
    return { jobId: body.job_id ?? '', behind: [cast.author, cast.cause, cast.changer] }
  },
  'fired by a trigger, and moved to another version by someone else': async () => {
    const ref = await createPathway(cast.author.client, guarded())
    const id = await createTrigger({ trigger_type: 'manual', target: { type: 'pathway', ref } })
    const { job_id } = await send<FiringView>(cast.req.client, `/v1/triggers/${id}/fire`, {})
    const jobId = job_id ?? ''
    await jobWith(cast.out.client, jobId, 'waiting')
    await cast.changer.client.patch(`/v1/pathways/${ref}`, { definition: guarded([], 'paid twice') })
    const body = { pathway: ref, from_version: 1, to_version: 2, filter: { job_ids: [jobId] } }
    expect(await send(cast.cause.client, '/v1/jobs/migrate', body)).toMatchObject({ counts: { moved: 1 } })
    return { jobId, behind: [cast.author, cast.req, cast.cause, cast.changer] }
  },
  'fired by a trigger, and forked with another input by someone else': async () => {
    const id = await createTrigger({ trigger_type: 'manual' })
    const fired = await send<FiringView>(cast.req.client, `/v1/triggers/${id}/fire`, {})
    const jobId = fired.job_id ?? ''
    const question = await questionOf(jobId)
    await answer(cast.out.client, context.workspace.id, jobId, question?.id ?? '', { action: 'approve' })
    await jobWith(cast.out.client, jobId)
    const forked = await fork(cast.changer, jobId, { from_node: 'review', input: { amount: 2 } })
    return { jobId: forked, behind: [cast.author, cast.req, cast.changer] }
  },
  'forked unchanged': async () => ({
    jobId: await fork(cast.changer, await decidedRun(), { from_node: 'review' }),
    behind: [cast.req, cast.changer],
  }),
  'forked with another input': async () => ({
    jobId: await fork(cast.changer, await decidedRun(), { from_node: 'review', input: { amount: 2 } }),
    behind: [cast.req, cast.changer],
  }),
  'forked to another version': async () => {
    const { jobId } = await outdatedRun()
    await send(cast.out.client, `/v1/jobs/${jobId}/cancel`)
    const body = { from_node: 'review', pathway_version: 2 }
    return { jobId: await fork(cast.cause, jobId, body), behind: [cast.req, cast.cause, cast.changer] }
  },
  retried: async () => {
    const failed = await failedRun()
    const { job_id: jobId } = await send<ForkStarted>(cast.changer.robot, `/v1/jobs/${failed.jobId}/retry`, {})
    return { jobId, behind: [cast.req, cast.changer] }
  },
  'retried by a bulk job': async () => {
    const failed = await failedRun()
    await send(cast.changer.client, '/v1/jobs/bulk', { operation: 'retry', filter: { pathway_id: failed.pathway } })
    return { jobId: (await retryOf(failed.jobId)) ?? '', behind: [cast.req, cast.changer] }
  },
  reopened: async () => {
    const decided = await decidedRun()
    const { id } = await questionOf(decided)
    const reopened = await send<ForkStarted>(cast.changer.client, `/v1/interventions/${id}/reopen`, { reason: 'Wrong' })
    return { jobId: reopened.job_id, behind: [cast.req, cast.changer] }
  },
  migrated: async () => {
    const { pathway: ref, jobId } = await outdatedRun()
    const body = { pathway: ref, from_version: 1, to_version: 2, filter: { job_ids: [jobId] } }
    expect(await send(cast.cause.client, '/v1/jobs/migrate', body)).toMatchObject({ counts: { moved: 1 } })
    return { jobId, behind: [cast.req, cast.cause, cast.changer] }
  },
  'migrated by a bulk job': async () => {
    const { pathway: ref, jobId } = await outdatedRun()
    const options = { to_version: 2 }
    await send(cast.cause.client, '/v1/jobs/bulk', { operation: 'migrate', filter: { pathway_id: ref }, options })
    await waitUntil(async () => (await jobWith(cast.out.client, jobId, 'waiting')).pathway_version === 2)
    return { jobId, behind: [cast.req, cast.cause, cast.changer] }
  },
  'continued by an event': async () => {
    const jobId = await startRun(cast.req.client, guarded([WAITING]))
    await jobWith(cast.out.client, jobId, 'waiting')
    await send(cast.cause.client, `/v1/jobs/${jobId}/resume`, { event: 'go', data: { amount: 2 } })
    return { jobId, behind: [cast.req, cast.cause] }
  },
  'continued before an event': async () => {
    const jobId = await startRun(cast.req.client, guarded([WAITING]))
    await jobWith(cast.out.client, jobId, 'waiting')
    await send(cast.cause.client, `/v1/jobs/${jobId}/resume`)
    return { jobId, behind: [cast.req, cast.cause] }
  },
  'continued by an event of its child run': async () => {
    const ref = await createPathway(cast.author.client, pathway([WAITING, { id: 'z', type: 'end' }], 'hold > z'))
    const definition = guarded([{ id: 'child', type: 'pathway', ref }])
    const jobId = await startRun(cast.req.client, definition)
    const child = await childOf(jobId, ref)
    await jobWith(cast.out.client, child, 'waiting')
    await send(cast.cause.client, `/v1/jobs/${child}/resume`, { event: 'go' })
    return { jobId, behind: [cast.req, cast.cause] }
  },
  'continued by an event while its child run asks': async () => {
    const child = { id: 'child', type: 'pathway', ref: pathwayId }
    const definition = pathway(
      [WAITING, child, { id: 'both', type: 'join', mode: 'all' }, { id: 'z', type: 'end', output: 'paid' }],
      'hold > both',
      'child > both',
      'both > z',
    )
    const jobId = await startRun(cast.req.client, definition)
    await questionOf(jobId)
    await send(cast.cause.client, `/v1/jobs/${jobId}/resume`, { event: 'go' })
    return { jobId, behind: [cast.req, cast.cause] }
  },
}

const childOf = (jobId: string, ref: string) =>
  waitUntil(async () => {
    const path = `/v1/jobs?pathway_id=${ref}&child_runs=true`
    const { body } = await cast.out.client.get<{ jobs: { job_id: string; root_job_id: string }[] }>(path)
    return body.jobs.find(({ root_job_id }) => root_job_id === jobId)?.job_id
  })

/** Waits for the question from the run or its child run, and returns it even if it is already decided. */
const questionOf = (jobId: string) =>
  waitUntil(async () => {
    const path = `/v1/interventions?job_id=${jobId}`
    const { body } = await cast.out.client.get<{ data: { interventionId: string; shown_hash: string }[] }>(path)
    const [found] = body.data
    return found && { id: found.interventionId, shown_hash: found.shown_hash }
  })

interface Question {
  jobId: string
  id: string
  shown_hash: string
}

const APPROVE = { action: 'approve' }
const respond = (by: ApiClient, { jobId, id }: Question) => answer(by, context.workspace.id, jobId, id, APPROVE)

/** Each function returns the status and the message of the refusal. */
const ANSWERS: Record<string, (by: Actor, question: Question) => Promise<{ status: number; message: string }>> = {
  'an API key': async (by, question) => toRefusal(await respond(by.client, question)),
  'a service key': async (by, question) => toRefusal(await respond(by.robot, question)),
  'a session': async (by, { jobId, id }) => {
    const input = { type: 'intervention_response', interventionId: id, ...APPROVE }
    return toRefusal(
      await by.session.send('POST', `/v1/jobs/${jobId}/input`, { workspace_id: context.workspace.id, input }),
    )
  },
  'a bulk answer': async (by, { id, shown_hash }) => {
    const items = [{ interventionId: id, shown_hash }]
    const { results } = await send<{ results: { code: string; message: string }[] }>(
      by.client,
      '/v1/interventions/answers',
      { items, ...APPROVE },
    )
    return { status: results[0]?.code === 'FORBIDDEN' ? 403 : 200, message: results[0]?.message ?? '' }
  },
  MCP: async (by, { id }) => {
    const { code, message } = await refusedTool(by.mcp, 'answer_question', { question_id: id, ...APPROVE })
    return { status: code === 'FORBIDDEN' ? 403 : 200, message }
  },
  'a claim': async (by, { id }) => toRefusal(await by.client.post(`/v1/interventions/${id}/claim`)),
  'a delegation to them': async (by, { id }) =>
    toRefusal(await cast.deputy.client.post(`/v1/interventions/${id}/delegate`, { to: by.name }), 400),
  'the right of an absent person': async (by, question) => {
    await cast.absent.client.call('PUT', '/v1/absence', { substitute: by.name })
    const refusal = toRefusal(await respond(by.client, question))
    await cast.absent.client.del('/v1/absence')
    return refusal
  },
  'an assignment by another person': async (by, question) => {
    const to = [by.name, 'user:out', 'user:deputy', 'user:absent']
    await send(cast.out.client, `/v1/interventions/${question.id}/reassign`, { to })
    return toRefusal(await respond(by.client, question))
  },
  'an assignment by themselves': async (by, { id }) =>
    toRefusal(await by.client.post(`/v1/interventions/${id}/reassign`, { to: [by.name] })),
}

const toRefusal = (reply: { status: number; body: unknown }, expected = 403) => ({
  status: reply.status === expected ? 403 : reply.status,
  message: (reply.body as { message: string }).message,
})

beforeAll(async () => {
  for (const name of NAMES) cast[name] = await createActor(context.stack, context.workspace, name)
  pathwayId = await createPathway(cast.author.client, guarded())
  const target = { type: 'pathway', ref: pathwayId }
  receptor = (await send<{ slug: string }>(cast.author.client, '/v1/receptors', { title: 'Desk', target })).slug
})

test.each(Object.entries(WAYS))('a run that was %s', async (_way, start) => {
  const { jobId, behind } = await start()
  await jobWith(cast.out.client, jobId, 'waiting')
  const names = behind.map(({ name }) => name)
  const asked = await questionOf(jobId)
  const question = { jobId, id: asked?.id ?? '', shown_hash: asked?.shown_hash ?? '' }
  const read = () => cast.out.client.get<{ people: string[] }>(`/v1/jobs/${jobId}`)
  expect((await read()).body.people).toEqual(expect.arrayContaining(names))
  for (const by of behind)
    for (const [how, attempt] of Object.entries(ANSWERS)) {
      const refusal = await attempt(by, question)
      expect({ by: by.name, how, ...refusal }).toMatchObject({ status: 403, message: expect.stringContaining(by.name) })
      expect(refusal.message).toContain('one of the people behind this run')
    }
  expect(await respond(cast.out.client, question)).toMatchObject({ status: 200, body: { decided: true } })
  const { body } = await cast.out.client.get<Evidence>(`/v1/interventions/${question.id}/evidence`)
  expect(body.document).toMatchObject({ intervention: { excluded: expect.arrayContaining(names) } })
  await jobWith(cast.out.client, jobId, 'completed')
})
