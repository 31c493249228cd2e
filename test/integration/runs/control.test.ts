import { randomUUID } from 'node:crypto'
import { execute } from '../../../data/shared/statements.ts'
import { insertJob } from '../../../data/runs/jobs-store.ts'
import { withTemporal } from '../../support/runs/describe-run.ts'
import { waitUntil } from '../../support/stack/process.ts'
import { answer, asked, readEvents, jobWith, pathway, startRun } from '../../support/runs/runs.ts'
import { useStack } from '../../support/stack/use-stack.ts'

const context = useStack()

const post = (id: string, path = id, more: object = {}) => ({
  id,
  type: 'http',
  with: { method: 'POST', url: `${context.ledger.url}/${path}` },
  ...more,
})
const control = (jobId: string, verb: string, body?: object) =>
  context.workspace.client.post<{ status: string; receipt: object[]; code: string }>(`/v1/jobs/${jobId}/${verb}`, body)
const seen = (path: string) => context.ledger.requests.some(request => request.path === `/${path}`)

describe('a run that has not started', () => {
  const insertRow = async () => {
    const { id, brain_id } = context.workspace
    const jobId = `unbegun-${randomUUID()}`
    const row = {
      job_id: jobId,
      root_job_id: jobId,
      brain_id,
      parent_key: null,
      pathway_id: null,
      pathway_version: null,
    }
    await context.stack.database.db.inWorkspace(id, tx =>
      insertJob(tx, { ...row, title: 'Unbegun', requester: 'user:ann', people: ['user:ann'], rights: [], input: null }),
    )
    return jobId
  }

  test.each(['cancel', 'pause', 'resume'])(
    'cannot receive a %s yet: 503 with Retry-After, and nothing is recorded',
    async verb => {
      const jobId = await insertRow()
      const reply = await control(jobId, verb)
      expect(reply).toMatchObject({
        status: 503,
        body: { code: 'UNAVAILABLE', message: 'The run has not started yet' },
      })
      expect(reply.headers.get('retry-after')).toBe('2')
      const { body } = await context.workspace.client.get<{ data: object[] }>(`/v1/activity?target_id=${jobId}`)
      expect(body.data).toEqual([])
    },
  )
})

describe('cancel', () => {
  test('stops running steps, compensates completed steps, and keeps the receipt', async () => {
    const definition = pathway(
      [post('book', 'c-book', { compensate: 'unbook' }), post('slow', 'c-slow?hang=true'), post('unbook', 'c-unbook')],
      'book > slow',
    )
    const jobId = await startRun(context.workspace.client, definition)
    await waitUntil(() => seen('c-slow'))
    const reply = await control(jobId, 'cancel')
    expect(reply).toMatchObject({ status: 200, body: { status: 'failed' } })
    expect(reply.body.receipt).toEqual([
      { node_id: 'slow', key: 'slow', outcome: 'in_doubt' },
      { node_id: 'book', key: 'book', outcome: 'compensated' },
    ])
    expect(seen('c-unbook')).toBe(true)
    expect(await jobWith(context.workspace.client, jobId)).toMatchObject({
      failedReason: 'cancelled by user:ann',
      receipt: reply.body.receipt,
    })
    expect((await readEvents(context.workspace.client, jobId)).at(-1)?.data).toEqual({
      type: 'error',
      message: 'cancelled by user:ann',
      code: 'CANCELLED',
    })
    expect(await control(jobId, 'cancel')).toMatchObject({ status: 400, body: { code: 'VALIDATION_ERROR' } })
  })

  test('closes an open question and rejects answers to it', async () => {
    const jobId = await startRun(
      context.workspace.client,
      pathway(
        [
          { id: 'ask', type: 'human', kind: 'form', form: { type: 'object' } },
          { id: 'z', type: 'end' },
        ],
        'ask.submit_input > z',
      ),
    )
    const [question] = await asked(context.workspace.client, jobId)
    expect((await control(jobId, 'cancel')).body.status).toBe('failed')
    const late = await answer(context.workspace.client, context.workspace.id, jobId, question?.interventionId ?? '', {
      action: 'submit_input',
      data: {},
    })
    expect(late.status).toBe(400)
  })

  test('compensates completed steps both while a person is being asked and after an answer', async () => {
    const ask = { id: 'ask', type: 'human', kind: 'approval' }
    const definition = pathway(
      [
        post('hold', 'h-hold', { compensate: 'free' }),
        ask,
        post('next', 'h-next?hang=true'),
        post('free', 'h-free'),
        { id: 'no', type: 'end' },
      ],
      'hold > ask',
      'ask.approve > next',
      'ask.reject > no',
    )
    const outcomes = {
      stopped: { node_id: 'ask', key: 'ask', outcome: 'stopped' },
      undone: { node_id: 'hold', key: 'hold', outcome: 'compensated' },
    }
    const jobId = await startRun(context.workspace.client, definition)
    await asked(context.workspace.client, jobId)
    expect((await control(jobId, 'cancel')).body.receipt).toEqual([outcomes.stopped, outcomes.undone])
    const answered = await startRun(context.workspace.client, definition)
    const [question] = await asked(context.workspace.client, answered)
    await answer(context.workspace.client, context.workspace.id, answered, question?.interventionId ?? '', {
      action: 'approve',
    })
    await waitUntil(() => seen('h-next'))
    expect((await control(answered, 'cancel')).body.receipt).toContainEqual(outcomes.undone)
    expect(context.ledger.requests.filter(request => request.path === '/h-free')).toHaveLength(2)
  })

  test('ends a run that calls and asks at the same time', async () => {
    const definition = pathway(
      [{ id: 'ask', type: 'human', kind: 'approval' }, post('slow', 'a-slow?hang=true'), { id: 'z', type: 'end' }],
      'ask.approve > z',
      'ask.reject > z',
      'slow > z',
    )
    const jobId = await startRun(context.workspace.client, definition)
    await waitUntil(() => seen('a-slow'))
    expect(await control(jobId, 'cancel')).toMatchObject({ status: 200, body: { status: 'failed' } })
  })

  test('on a completed job is rejected', async () => {
    const jobId = await startRun(
      context.workspace.client,
      pathway([{ id: 'a', type: 'transform', with: { value: 1 } }]),
    )
    await jobWith(context.workspace.client, jobId)
    for (const verb of ['cancel', 'pause', 'resume']) expect((await control(jobId, verb)).status).toBe(400)
  })
})

describe('pause and resume', () => {
  test('a paused run starts no node, and keeps answers that arrive in the meantime', async () => {
    const definition = pathway(
      [{ id: 'ask', type: 'human', kind: 'approval' }, post('after', 'p-after'), { id: 'no', type: 'end' }],
      'ask.approve > after',
      'ask.reject > no',
    )
    const jobId = await startRun(context.workspace.client, definition)
    const [question] = await asked(context.workspace.client, jobId)
    expect((await control(jobId, 'pause')).body.status).toBe('paused')
    expect((await control(jobId, 'pause')).body.status).toBe('paused')
    expect(
      (
        await answer(context.workspace.client, context.workspace.id, jobId, question?.interventionId ?? '', {
          action: 'approve',
        })
      ).status,
    ).toBe(200)
    expect((await jobWith(context.workspace.client, jobId, 'paused')).status).toBe('paused')
    expect(seen('p-after')).toBe(false)
    expect((await control(jobId, 'resume')).status).toBe(200)
    expect((await jobWith(context.workspace.client, jobId)).status).toBe('completed')
    expect(seen('p-after')).toBe(true)
  })

  test('a paused run can be cancelled', async () => {
    const jobId = await startRun(context.workspace.client, pathway([{ id: 'w', type: 'wait', duration: 'P7D' }]))
    await control(jobId, 'pause')
    expect((await control(jobId, 'cancel')).body.status).toBe('failed')
    expect((await control(jobId, 'cancel')).status).toBe(400)
    expect((await jobWith(context.workspace.client, jobId)).status).toBe('failed')
  })

  test('resume delivers a named event to a run, even before the run waits for it', async () => {
    const definition = pathway(
      [
        { id: 'first', type: 'wait', event: 'go' },
        { id: 'second', type: 'wait', event: 'then' },
        { id: 'z', type: 'end', output: ['${nodes.first.output.event.data}', '${nodes.second.output.event.data}'] },
      ],
      'first > second',
      'second > z',
    )
    const jobId = await startRun(context.workspace.client, definition)
    await jobWith(context.workspace.client, jobId, 'waiting')
    expect(await control(jobId, 'resume', { event: 'then', data: 2 })).toMatchObject({
      status: 200,
      body: { delivered_to: [], kept: true },
    })
    expect(await control(jobId, 'resume', { event: 'goes' })).toMatchObject({
      status: 400,
      body: {
        details: [{ pointer: '/event', message: 'the run has no event "goes": its wait nodes wait for go, then' }],
      },
    })
    expect(await control(jobId, 'resume', { event: 'go', data: { n: 1 } })).toMatchObject({
      status: 200,
      body: { delivered_to: ['first'], kept: false },
    })
    expect((await jobWith(context.workspace.client, jobId)).result).toEqual([{ n: 1 }, 2])
    expect((await control(jobId, 'resume', { event: 'go' })).status).toBe(400)
  })

  test('an event sent twice with the same Idempotency-Key is delivered once', async () => {
    const item = { id: 'paid', type: 'wait', event: 'paid' }
    const body = { nodes: [item], edges: [] }
    const definition = pathway([{ id: 'each', type: 'map', items: [1, 2], concurrency: 1, body }])
    const jobId = await startRun(context.workspace.client, definition)
    await jobWith(context.workspace.client, jobId, 'waiting')
    const send = (data: number) =>
      context.workspace.client.post(
        `/v1/jobs/${jobId}/resume`,
        { event: 'paid', data },
        { headers: { 'Idempotency-Key': 'paid-1' } },
      )
    const first = await send(1)
    expect(first).toMatchObject({ status: 200, body: { delivered_to: ['each[0]/paid'] } })
    expect((await send(1)).body).toMatchObject({ delivered_to: ['each[0]/paid'] })
    expect((await send(2)).status).toBe(409)
    // The run itself forgets earlier updates when it continues as new.
    const stored = { delivered_to: ['stored'], kept: false }
    await context.stack.database.db.inWorkspace(context.workspace.id, tx =>
      execute(tx, 'update idempotency_keys set response = $1 where target = $2 and response is not null', [
        JSON.stringify(stored),
        jobId,
      ]),
    )
    expect((await send(1)).body).toMatchObject(stored)
    const { nodes } = await jobWith(context.workspace.client, jobId, 'waiting')
    expect(nodes.filter(({ key }) => key.endsWith('/paid'))).toMatchObject([
      { key: 'each[0]/paid', status: 'completed' },
      { key: 'each[1]/paid', status: 'waiting' },
    ])
    await control(jobId, 'cancel')
  })

  test('resume without an event ends the open waits, including waits in child runs', async () => {
    const { client } = context.workspace
    const waits = pathway(
      [
        { id: 'week', type: 'wait', duration: 'P7D' },
        { id: 'signed', type: 'wait', event: 'signed', timeout: 'P9D' },
        { id: 'both', type: 'join', mode: 'all' },
        { id: 'later', type: 'wait', duration: 'P1D' },
        { id: 'z', type: 'end', output: ['${nodes.week.output.by}', '${nodes.signed.output.event}'] },
      ],
      'week > both',
      'signed > both',
      'both > later',
      'later > z',
    )
    const child = await client.post('/v1/pathways', { title: 'Waits', definition: waits })
    const jobId = await startRun(
      client,
      pathway([
        { id: 'child', type: 'pathway', ref: child.body.id },
        { id: 'mine', type: 'wait', duration: 'P7D' },
      ]),
    )
    await jobWith(client, jobId, 'waiting')
    expect(await control(jobId, 'resume')).toMatchObject({ status: 200, body: { status: 'waiting', resumed: true } })
    const { nodes } = await jobWith(client, jobId, 'waiting')
    expect(nodes.find(({ key }) => key === 'mine')).toMatchObject({ status: 'completed' })
    expect(await control(jobId, 'resume')).toMatchObject({ status: 200, body: { resumed: true } })
    const by = 'user:ann'
    expect((await jobWith(client, jobId)).result).toMatchObject({
      child: [by, { name: 'signed', data: null, by }],
      mine: { by },
    })
  })

  test('a run that is waiting for a person cannot be resumed, and the error identifies the question', async () => {
    const jobId = await startRun(
      context.workspace.client,
      pathway(
        [
          { id: 'ask', type: 'human', kind: 'form', form: {} },
          { id: 'z', type: 'end' },
        ],
        'ask.submit_input > z',
      ),
    )
    const [question] = await asked(context.workspace.client, jobId)
    expect(await control(jobId, 'resume')).toMatchObject({
      status: 409,
      body: { message: expect.stringContaining(`"ask" (${question?.interventionId})`) },
    })
    await control(jobId, 'cancel')
  })
})

describe('idempotency', () => {
  const headers = (key: string) => ({ headers: { 'Idempotency-Key': key } })
  test('the same key and body start one run, and a different body is a conflict', async () => {
    const body = { pathway: pathway([post('once', 'i-once')]) }
    const replies = await Promise.all(
      Array.from({ length: 8 }, () =>
        context.workspace.client.post<{ job_id: string }>('/v1/jobs', body, headers('k1')),
      ),
    )
    expect(replies.map(reply => reply.status)).toEqual(Array.from({ length: 8 }, () => 202))
    expect(new Set(replies.map(reply => reply.body.job_id)).size).toBe(1)
    await jobWith(context.workspace.client, replies[0]?.body.job_id ?? '')
    expect((await context.workspace.client.post('/v1/jobs', body, headers('k1'))).body).toEqual(replies[0]?.body)
    expect(context.ledger.requests.filter(request => request.path === '/i-once')).toHaveLength(1)
    const other = await context.workspace.client.post('/v1/jobs', { ...body, input: 1 }, headers('k1'))
    expect(other).toMatchObject({ status: 409, body: { code: 'CONFLICT' } })
  })

  test('a key in one workspace is independent of the same key in another', async () => {
    const away = await context.stack.workspace()
    const body = { pathway: pathway([{ id: 'a', type: 'transform', with: { value: 1 } }]) }
    const [here, there] = await Promise.all(
      [context.workspace, away].map(space => space.client.post<{ job_id: string }>('/v1/jobs', body, headers('k2'))),
    )
    expect(here?.body.job_id).not.toBe(there?.body.job_id)
  })
})

describe('other workspaces', () => {
  test('get the same 404 as for a missing object', async () => {
    const away = await context.stack.workspace()
    const jobId = await startRun(context.workspace.client, pathway([{ id: 'w', type: 'wait', duration: 'PT1H' }]))
    const calls = ['', '/status', '/stream'].map(path => away.client.get(`/v1/jobs/${jobId}${path}`))
    const verbs = ['cancel', 'pause', 'resume'].map(verb => away.client.post(`/v1/jobs/${jobId}/${verb}`))
    const unknown = await away.client.get('/v1/jobs/inline-01975cab-0000-7000-8000-000000000000')
    for (const reply of await Promise.all([...calls, ...verbs])) {
      expect(reply).toMatchObject({ status: 404, body: unknown.body })
    }
    expect((await answer(away.client, away.id, jobId, 'x', { action: 'approve' })).status).toBe(404)
    expect((await answer(away.client, context.workspace.id, jobId, 'x', { action: 'approve' })).status).toBe(403)
    const { body } = await away.client.get<{ total: number }>('/v1/jobs')
    expect(body.total).toBe(0)
    await control(jobId, 'cancel')
  })
})

test('a run that was reset in Temporal reports the reset while it is open', async () => {
  const { client } = context.workspace
  const nodes = [post('book', 'book-reset'), { id: 'hold', type: 'wait', event: 'go' }]
  const jobId = await startRun(client, pathway(nodes, 'book > hold'))
  const before = await jobWith(client, jobId, 'waiting')
  expect(before).not.toHaveProperty('reset_at')
  await withTemporal(async ({ workflow, workflowService, options: { namespace } }) => {
    const { events = [] } = await workflow.getHandle(jobId).fetchHistory()
    const first = events?.find(({ workflowTaskCompletedEventAttributes: completed }) => completed)
    await workflowService.resetWorkflowExecution({
      namespace,
      workflowExecution: { workflowId: jobId },
      workflowTaskFinishEventId: first?.eventId,
      requestId: randomUUID(),
      reason: 'a test',
    })
  })
  const job = await waitUntil(async () => {
    const { body } = await client.get<{ status: string; reset_at?: string }>(`/v1/jobs/${jobId}`)
    return body.reset_at !== undefined && body
  })
  expect(Date.parse(job.reset_at ?? '')).toBeGreaterThan(Date.parse(before.created_at))
  const requests = () => context.ledger.requests.filter(({ path }) => path === '/book-reset').length
  await waitUntil(async () => requests() === 2)
  await control(jobId, 'cancel')
})
