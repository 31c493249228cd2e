import type { JobDetail } from '../../services/jobs/types.ts'
import type { ApiClient } from '../support/client.ts'
import { answer, asked, jobWith, pathway, startRun } from '../support/runs.ts'
import { useStack } from '../support/use-stack.ts'

const context = useStack()
let brains: [string, string]
let one: ApiClient
let other: ApiClient
let both: ApiClient

beforeAll(async () => {
  const { workspace } = context
  brains = [workspace.brain_id, await workspace.newBrain()]
  ;[one, other, both] = await Promise.all([
    workspace.boundTo(brains[0]),
    workspace.boundTo(brains[1]),
    workspace.boundTo(...brains),
  ])
})

const SECRET = { id: 'say', type: 'transform', with: { value: 'the salary is 4417' } }
const START = { pathway: pathway([SECRET]) }

describe('a key that is bound to one brain', () => {
  test('starts runs in it, which keys of other brains cannot see', async () => {
    const { body } = await one.post<{ job_id: string }>('/v1/jobs', START)
    expect(await jobWith(one, body.job_id)).toMatchObject({ brain_id: brains[0], result: 'the salary is 4417' })
    for (const path of ['', '/status', '/stream'])
      expect((await other.get(`/v1/jobs/${body.job_id}${path}`)).status).toBe(404)
    expect((await other.get<{ total: number }>('/v1/jobs')).body.total).toBe(0)
    expect((await both.get(`/v1/jobs/${body.job_id}`)).status).toBe(200)
  })

  test('talks in threads of it, which keys of other brains can neither read, continue nor delete', async () => {
    await context.workspace.client.post('/v1/neurons', { title: 'Echo', slug: 'echo', neuron_type: 'completion' })
    const { body } = await one.post<{ trace_id: string; job_id: string }>('/v1/neurons/echo/invoke', {
      message: 'My pin is 4417.',
      stream: true,
    })
    await jobWith(one, body.job_id)
    expect((await one.get(`/v1/traces/${body.trace_id}`)).body).toMatchObject({ trace: { brain_id: brains[0] } })
    expect((await other.get(`/v1/traces/${body.trace_id}`)).status).toBe(404)
    expect((await other.post(`/v1/chat/${body.trace_id}`, { message: 'And now?' })).status).toBe(404)
    expect((await other.del(`/v1/traces/${body.trace_id}`)).status).toBe(404)
    const { status, body: purge } = await both.del<{ job_id: string }>(`/v1/traces/${body.trace_id}`)
    expect(status).toBe(202)
    expect(await jobWith(both, purge.job_id)).toMatchObject({ brain_id: brains[0], status: 'completed' })
    expect((await other.get(`/v1/jobs/${purge.job_id}`)).status).toBe(404)
  })

  test('saves resources in it', async () => {
    const { status, body } = await one.post('/v1/artifacts', { title: 'Mine', content: 'text' })
    expect([status, body]).toMatchObject([201, { brain_id: brains[0] }])
  })

  test('ingests documents into it', async () => {
    const { status, body } = await one.post('/v1/assets/ingest', { text: 'a text of the brain' })
    expect([status, body]).toMatchObject([201, { asset: { brain_id: brains[0] } }])
  })

  test('reads runs and threads of no brain, but does not change them', async () => {
    const { client } = context.workspace
    const wait = { id: 'wait', type: 'wait', event: 'go', timeout: 'PT1H' }
    const { body: job } = await client.post<{ job_id: string }>('/v1/jobs', { pathway: pathway([wait]) })
    await jobWith(client, job.job_id, 'waiting', 'running')
    expect((await one.get(`/v1/jobs/${job.job_id}`)).body).toMatchObject({ brain_id: null })
    for (const command of ['cancel', 'pause', 'resume'])
      expect((await one.post(`/v1/jobs/${job.job_id}/${command}`)).status).toBe(403)
    await client.post(`/v1/jobs/${job.job_id}/cancel`)
    const chat = { message: 'Hello.', stream: true }
    const { body: said } = await client.post<{ trace_id: string }>('/v1/neurons/echo/invoke', chat)
    expect((await one.get(`/v1/traces/${said.trace_id}`)).status).toBe(200)
    expect((await one.post(`/v1/chat/${said.trace_id}`, { message: 'And now?' })).status).toBe(403)
    expect((await one.del(`/v1/traces/${said.trace_id}`)).status).toBe(403)
  })
})

test('a bound key answers for a run of no brain only as an assignee', async () => {
  const { client, id } = context.workspace
  const ask = async (assignees: string[]) => {
    const human = { id: 'ask', type: 'human', kind: 'approval', assignees }
    const jobId = await startRun(
      client,
      pathway([human, { id: 'end', type: 'end' }], 'ask.approve > end', 'ask.reject > end'),
    )
    return { jobId, interventionId: (await asked(client, jobId))[0]?.interventionId ?? '' }
  }
  const [open, named] = await Promise.all([ask([]), ask(['user:ann'])])
  expect(await answer(one, id, open.jobId, open.interventionId, { action: 'approve' })).toMatchObject({ status: 403 })
  expect(await answer(one, id, named.jobId, named.interventionId, { action: 'approve' })).toMatchObject({ status: 200 })
  expect((await answer(client, id, open.jobId, open.interventionId, { action: 'approve' })).status).toBe(200)
})

test('a key that is bound to several brains follows a meeting of any of them', async () => {
  const { body } = await other.post<{ id: string }>('/v1/meetings', { title: 'Stand-up' })
  const closed = new AbortController()
  await both.sse(`/v1/meetings/${body.id}/stream`, { signal: closed.signal })
  closed.abort()
})

test('a key that is bound to several brains names the one that it writes to', async () => {
  const unnamed = await both.post('/v1/jobs', START)
  expect(unnamed).toMatchObject({ status: 400, body: { message: expect.stringContaining('X-Brain-Id') } })
  const named = await both.post<{ job_id: string }>('/v1/jobs', START, {
    headers: { 'X-Brain-Id': brains[1] },
  })
  expect(await jobWith(other, named.body.job_id)).toMatchObject({ status: 'completed', brain_id: brains[1] })
})

test('an Idempotency-Key belongs to its caller and brain: others with the same key start their own runs', async () => {
  const headers = { 'Idempotency-Key': 'order-1' }
  const colleague = await context.workspace.as('user:bo')
  const clients = [one, other, context.workspace.client, colleague]
  const start = async (client: ApiClient) =>
    (await client.post<{ job_id: string }>('/v1/jobs', START, { headers })).body
  const first = await Promise.all(clients.map(start))
  expect(new Set(first.map(({ job_id }) => job_id)).size).toBe(4)
  expect(await Promise.all(clients.map(start))).toEqual(first)
  const jobs = await Promise.all(clients.map((client, i) => client.get<JobDetail>(`/v1/jobs/${first[i]?.job_id}`)))
  expect(jobs.map(({ body }) => body.brain_id)).toEqual([...brains, null, null])
})
