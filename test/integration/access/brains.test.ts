import type { JobDetail } from '../../../contract/runs/job.ts'
import { type ApiClient, withHeaders } from '../../support/clients/client.ts'
import { waitUntil } from '../../support/stack/process.ts'
import { answer, asked, jobWith, pathway, startRun } from '../../support/runs/runs.ts'
import { signInAs } from '../../support/access/sign-in.ts'
import { useStack } from '../../support/stack/use-stack.ts'
import { execute } from '../../../data/shared/statements.ts'
import type { Estimates } from '../../../contract/shared/estimates.ts'

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

/** Removes a run and its thread from its brain, because every new run belongs to a brain. */
const releaseRun = (jobId: string) =>
  context.stack.database.db.inWorkspace(context.workspace.id, async tx => {
    await execute(
      tx,
      `update traces set brain_id = null from jobs where traces.id = jobs.trace_id and jobs.job_id = $1`,
      [jobId],
    )
    await execute(tx, 'update jobs set brain_id = null where job_id = $1', [jobId])
  })

const SECRET = { id: 'say', type: 'transform', with: { value: 'the salary is 4417' } }
const START = { pathway: pathway([SECRET]) }

describe('a key bound to one brain', () => {
  test('starts runs in its brain, where keys for other brains cannot see them', async () => {
    const { body } = await one.post<{ job_id: string }>('/v1/jobs', START)
    expect(await jobWith(one, body.job_id)).toMatchObject({ brain_id: brains[0], result: 'the salary is 4417' })
    for (const path of ['', '/status', '/stream'])
      expect((await other.get(`/v1/jobs/${body.job_id}${path}`)).status).toBe(404)
    expect((await other.get<{ total: number }>('/v1/jobs')).body.total).toBe(0)
    expect((await both.get(`/v1/jobs/${body.job_id}`)).status).toBe(200)
  })

  test('sends messages in threads of its brain, which keys for other brains cannot read, continue or delete', async () => {
    const echo = { title: 'Echo', slug: 'echo', neuron_type: 'completion', scope: 'workspace' }
    await context.workspace.client.post('/v1/neurons', echo)
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

  test('saves resources in its brain', async () => {
    const { status, body } = await one.post('/v1/artifacts', { title: 'Mine', content: 'text' })
    expect([status, body]).toMatchObject([201, { brain_id: brains[0] }])
  })

  test('ingests documents into its brain', async () => {
    const { status, body } = await one.post('/v1/assets/ingest', { text: 'a text of the brain' })
    expect([status, body]).toMatchObject([201, { asset: { brain_id: brains[0] } }])
  })

  test('reads runs and threads that have no brain, but cannot change them', async () => {
    const { client } = context.workspace
    const wait = { id: 'wait', type: 'wait', event: 'go', timeout: 'PT1H' }
    const { body: job } = await client.post<{ job_id: string }>('/v1/jobs', { pathway: pathway([wait]) })
    await jobWith(client, job.job_id, 'waiting', 'running')
    await releaseRun(job.job_id)
    expect((await one.get(`/v1/jobs/${job.job_id}`)).body).toMatchObject({ brain_id: null })
    for (const command of ['cancel', 'pause', 'resume'])
      expect((await one.post(`/v1/jobs/${job.job_id}/${command}`)).status).toBe(403)
    await client.post(`/v1/jobs/${job.job_id}/cancel`)
    const chat = { message: 'Hello.', stream: true }
    const { body: said } = await client.post<{ trace_id: string; job_id: string }>('/v1/neurons/echo/invoke', chat)
    await releaseRun(said.job_id)
    expect((await one.get(`/v1/traces/${said.trace_id}`)).status).toBe(200)
    expect((await one.post(`/v1/chat/${said.trace_id}`, { message: 'And now?' })).status).toBe(403)
    expect((await one.del(`/v1/traces/${said.trace_id}`)).status).toBe(403)
  })
})

test('a bound key can answer for a run without a brain only as an assignee', async () => {
  const { client, id } = context.workspace
  const ask = async (assignees: string[]) => {
    const human = { id: 'ask', type: 'human', kind: 'approval', assignees }
    const jobId = await startRun(
      client,
      pathway([human, { id: 'end', type: 'end' }], 'ask.approve > end', 'ask.reject > end'),
    )
    await releaseRun(jobId)
    return { jobId, interventionId: (await asked(client, jobId))[0]?.interventionId ?? '' }
  }
  const [open, named] = await Promise.all([ask([]), ask(['user:ann'])])
  expect(await answer(one, id, open.jobId, open.interventionId, { action: 'approve' })).toMatchObject({ status: 403 })
  expect(await answer(one, id, named.jobId, named.interventionId, { action: 'approve' })).toMatchObject({ status: 200 })
  expect((await answer(client, id, open.jobId, open.interventionId, { action: 'approve' })).status).toBe(200)
})

test('a key bound to several brains can follow a meeting in any of them', async () => {
  const { body } = await other.post<{ id: string }>('/v1/meetings', { title: 'Stand-up' })
  const closed = new AbortController()
  const stream = await both.sse(`/v1/meetings/${body.id}/stream`, { signal: closed.signal })
  expect(stream).toBeDefined()
  closed.abort()
})

test('a key bound to several brains works in the default brain of the workspace or in the brain that the request names', async () => {
  const unnamed = await both.post<{ job_id: string }>('/v1/jobs', START)
  expect(await jobWith(both, unnamed.body.job_id)).toMatchObject({ status: 'completed', brain_id: brains[0] })
  const named = await both.post<{ job_id: string }>('/v1/jobs', START, {
    headers: { 'X-Brain-Id': brains[1] },
  })
  expect(await jobWith(other, named.body.job_id)).toMatchObject({ status: 'completed', brain_id: brains[1] })
})

test('an empty X-Brain-Id does not mean the default brain', async () => {
  const answer = await both.get('/v1/jobs', { headers: { 'X-Brain-Id': '' } })
  expect(answer).toMatchObject({ status: 400, body: { message: 'The brain id must be a UUID' } })
})

test('an Idempotency-Key belongs to its caller and brain: other callers who use the same key start their own runs', async () => {
  const headers = { 'Idempotency-Key': 'order-1' }
  const colleague = await context.workspace.as('user:bo')
  const clients = [one, other, context.workspace.client, colleague]
  const start = async (client: ApiClient) =>
    (await client.post<{ job_id: string }>('/v1/jobs', START, { headers })).body
  const first = await Promise.all(clients.map(start))
  expect(new Set(first.map(({ job_id }) => job_id)).size).toBe(4)
  expect(await Promise.all(clients.map(start))).toEqual(first)
  const jobs = await Promise.all(clients.map((client, i) => client.get<JobDetail>(`/v1/jobs/${first[i]?.job_id}`)))
  expect(jobs.map(({ body }) => body.brain_id)).toEqual([...brains, brains[0], brains[0]])
})

describe('a key that may access all brains', () => {
  let client: ApiClient
  const inBrain = (at: 0 | 1) => ({ headers: { 'X-Brain-Id': brains[at] } })
  beforeAll(() => void ({ client } = context.workspace))

  test('creates and lists resources in the default brain, and reads resources in other brains by id', async () => {
    const create = async (title: string, fields: object) =>
      (await client.post<{ id: string; brain_id: string }>('/v1/artifacts', { title, content: 'text', ...fields })).body
    const first = await create('In the default', {})
    const second = await create('In the second', { brain_id: brains[1] })
    expect([first.brain_id, second.brain_id]).toEqual(brains)

    const at = `/v1/resources/artifacts/${second.id}`
    for (const path of ['', '/history', '/versions/1', '/diff?from=1&to=live']) {
      expect((await client.get(`${at}${path}`)).status).toBe(200)
      expect((await client.get(`${at}${path}`, inBrain(0))).status).toBe(404)
    }
    expect((await client.post(`${at}/patch`, { brain_id: brains[0], merge: { title: 'No' } })).status).toBe(404)
    expect((await client.post(`${at}/patch`, { merge: { title: 'Yes' } })).body).toMatchObject({ brain_id: brains[1] })

    const listed = async (options?: object) => [
      JSON.stringify((await client.get('/v1/artifacts?limit=200', options)).body),
      JSON.stringify((await client.post('/v1/browse', { type: 'artifacts', limit: 200 }, options)).body),
      JSON.stringify((await client.get('/v1/resources/tree?limit=200', options)).body),
    ]
    for (const text of [...(await listed()), ...(await listed(inBrain(0)))]) {
      expect(text).toContain(first.id)
      expect(text).not.toContain(second.id)
    }
    for (const text of await listed(inBrain(1))) {
      expect(text).toContain(second.id)
      expect(text).not.toContain(first.id)
    }
    const moved = await client.post<{ brain_id: string }>(`${at}/patch`, { merge: { brain_id: brains[0] } }, inBrain(1))
    expect(moved).toMatchObject({ status: 200, body: { brain_id: brains[0] } })
  })

  test("runs resources from the request's brain", async () => {
    const neuron = { title: 'Second', slug: 'second', neuron_type: 'completion', brain_id: brains[1] }
    await client.post('/v1/neurons', neuron)
    const invoke = (more: object) =>
      client.post<{ job_id: string; trace_id: string }>('/v1/neurons/second/invoke', {
        message: 'Hello.',
        stream: true,
        ...more,
      })
    expect((await client.get('/v1/neurons/second')).status).toBe(200)
    expect((await invoke({})).status).toBe(404)
    const { status, body } = await invoke({ brain_id: brains[1] })
    expect(status).toBe(202)
    expect(await jobWith(client, body.job_id)).toMatchObject({ brain_id: brains[1], status: 'completed' })
    const say = (more: object) => client.post(`/v1/chat/${body.trace_id}`, { message: 'And now?', ...more })
    expect((await say({})).status).toBe(404)
    expect((await say({ brain_id: brains[1] })).status).toBe(202)
    const ask = { id: 'ask', type: 'neuron', ref: 'second', with: { message: 'Hello.' } }
    const refused = await client.post('/v1/pathways', { title: 'Caller', definition: pathway([ask]) })
    expect(refused).toMatchObject({ status: 400, body: { details: [{ pointer: '/definition/nodes/0/ref' }] } })
  })

  test('sees the runs, interventions, threads and usage of all brains, unless the request names a brain', async () => {
    const human = { id: 'ask', type: 'human', kind: 'approval' }
    const ask = pathway([human, { id: 'end', type: 'end' }], 'ask.approve > end', 'ask.reject > end')
    const { body } = await client.post<{ job_id: string }>('/v1/jobs', { pathway: ask, brain_id: brains[1] })
    await jobWith(client, body.job_id, 'waiting')
    const [open] = await asked(client, body.job_id)
    const byId = [`/v1/jobs/${body.job_id}`, `/v1/interventions/${open?.interventionId}`]
    const lists = ['/v1/jobs?limit=200', '/v1/interventions?limit=200']
    const { body: usage } = await client.get<{ total: { calls: number } }>('/v1/usage')
    const inFirst = await client.get<{ total: { calls: number } }>('/v1/usage', inBrain(0))
    expect(inFirst.body.total.calls).toBeLessThan(usage.total.calls)
    const listRuns = async (options?: object) => {
      const { body: settings } = await client.get<{ estimates: Estimates }>('/v1/config', options)
      return settings.estimates.neuron_run?.runs ?? 0
    }
    expect(await listRuns(inBrain(0))).toBeLessThan(await listRuns())
    for (const path of byId) {
      expect((await client.get(path)).status).toBe(200)
      expect((await client.get(path, inBrain(1))).status).toBe(200)
      expect((await client.get(path, inBrain(0))).status).toBe(404)
    }
    for (const path of lists) {
      expect(JSON.stringify((await client.get(path)).body)).toContain(body.job_id)
      expect(JSON.stringify((await client.get(path, inBrain(0))).body)).not.toContain(body.job_id)
    }
    for (const command of ['cancel', 'pause', 'resume'])
      expect((await client.post(`/v1/jobs/${body.job_id}/${command}`, { brain_id: brains[0] })).status).toBe(404)
    expect((await client.post(`/v1/jobs/${body.job_id}/cancel`)).status).toBe(200)
  })

  test('can look up which brain it works in', async () => {
    const brainOf = async (options?: object) => (await client.get('/v1/health', options)).body
    expect(await brainOf()).toMatchObject({ brain: { id: brains[0] } })
    expect(await brainOf(inBrain(1))).toMatchObject({ brain: { id: brains[1] } })
  })
})

describe('the list of brains', () => {
  interface Listed {
    data: { id: string; name: string; is_default: boolean }[]
    pagination: object
  }
  const listIds = async (client: ApiClient) =>
    (await client.get<Listed>('/v1/brains?limit=200')).body.data.map(({ id }) => id)

  test('contains the brains that the key may access, or only the brain that the request names', async () => {
    const { client } = context.workspace
    expect(await listIds(client)).toEqual(expect.arrayContaining(brains))
    expect(await listIds(one)).toEqual([brains[0]])
    expect(await listIds(both)).toEqual(brains)
    expect(await listIds(withHeaders(client, { 'X-Brain-Id': brains[1] }))).toEqual([brains[1]])
    const { body } = await client.get<Listed>('/v1/brains?limit=1')
    expect(body).toMatchObject({
      data: [{ id: brains[0], name: 'default', is_default: true }],
      pagination: { limit: 1 },
    })
  })

  test('can be changed by callers who manage access: they create and rename brains, and choose the default brain', async () => {
    const workspace = await context.stack.workspace()
    const admin = await signInAs(context.stack, workspace, 'user:ada', 'admin')
    const made = await admin.send('POST', '/v1/brains', { name: ' Support ' })
    expect(made).toMatchObject({ status: 201, body: { name: 'Support', is_default: false } })
    const { id } = made.body
    const change = (body: object, brain = id) => admin.send('PATCH', `/v1/brains/${brain}`, body)
    expect((await change({ name: 'Help' })).body).toMatchObject({ id, name: 'Help', is_default: false })
    expect((await change({ is_default: true })).body).toMatchObject({ id, name: 'Help', is_default: true })
    const { body } = await workspace.client.get<Listed>('/v1/brains')
    expect(body.data).toMatchObject([
      { id: workspace.brain_id, is_default: false },
      { id, is_default: true },
    ])
    // The credential is cached for a few seconds.
    await waitUntil(async () => {
      const { body: run } = await workspace.client.post<{ job_id: string }>('/v1/jobs', START)
      return (await jobWith(workspace.client, run.job_id)).brain_id === id
    })
    for (const wrong of [{}, { is_default: false }, { name: '' }, { id }])
      expect([wrong, (await change(wrong)).status]).toEqual([wrong, 400])
    for (const other of [brains[0], 'none']) expect((await change({ name: 'Mine' }, other)).status).toBe(404)
    const builder = await signInAs(context.stack, workspace, 'user:bea', 'builder')
    expect((await builder.send('POST', '/v1/brains', { name: 'Mine' })).status).toBe(403)
    expect((await workspace.client.post('/v1/brains', { name: 'Mine' })).status).toBe(403)
  })
})
