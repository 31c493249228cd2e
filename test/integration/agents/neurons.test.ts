import { randomUUID } from 'node:crypto'
import type { WaitingFor } from '../../../domain/people/intervention.ts'
import type { JobDetail } from '../../../contract/runs/job.ts'
import { useAgents } from '../../support/agents/agents.ts'
import { waitUntil } from '../../support/stack/process.ts'
import { readHistory } from '../../support/runs/operator-view.ts'
import { replayRuns } from '../../support/runs/replay.ts'
import { answer, asked, readEvents, jobWith } from '../../support/runs/runs.ts'

const context = useAgents()

interface Answer {
  status?: string
  waitingFor?: WaitingFor[]
  output: string
  data?: unknown
  finish_reason: string
  trace_id: string
  job_id: string
  usage: { input_tokens: number; output_tokens: number; usd: number }
}

const invoke = (slug: string, body: object) => context.workspace.client.post<Answer>(`/v1/neurons/${slug}/invoke`, body)

describe('a completion', () => {
  test('returns an answer immediately, with its usage', async () => {
    await context.neuron({ slug: 'greeter', instructions: 'Greet ${variables.name}.', variables: { name: 'somebody' } })
    context.plays('say hello', { tokens: ['Hello', ' Ann'] })
    const { status, body } = await invoke('greeter', { message: 'Please say hello', variables: { name: 'Ann' } })
    expect(status).toBe(200)
    expect(body).toMatchObject({ output: 'Hello Ann', finish_reason: 'stop', usage: { output_tokens: 2 } })
    const request = context.models.requests.at(-1)
    expect(request?.turns[0]).toMatchObject({ role: 'system', text: 'Greet Ann.' })
    const job = await jobWith(context.workspace.client, body.job_id)
    expect(job).toMatchObject({ kind: 'neuron', trace_id: body.trace_id, status: 'completed', requester: 'user:ann' })
    expect(job.nodes.map(({ key, node_type, status }) => [key, node_type, status])).toEqual([
      ['step-1', 'model', 'completed'],
    ])
  })

  test('streams its tokens', async () => {
    await context.neuron({ slug: 'streamer' })
    context.plays('stream something', { tokens: ['one ', 'two ', 'three'], delay_ms: 20 })
    const { status, body } = await invoke('streamer', { message: 'stream something', stream: true })
    expect(status).toBe(202)
    const events = await readEvents(context.workspace.client, body.job_id)
    const tokens = events.flatMap(({ data }) => (data.type === 'token' ? [data.token] : []))
    expect(tokens.join('')).toBe('one two three')
    expect(events.at(-1)?.data).toMatchObject({ type: 'complete', result: { output: 'one two three' } })
  })
})

describe('an agent', () => {
  test('makes short read-only calls within the workflow task, with names for operators, and makes writes in activities', async () => {
    const tools = ['current_time', 'calculate', 'write_artifact'].map(name => ({ name }))
    await context.workspace.client.post('/v1/reflexes', { title: 'Desk', slug: 'desk', source: 'builtin', tools })
    await context.neuron({ slug: 'clerk', neuron_type: 'agent', tools: [{ reflex: 'desk' }] })
    const sum = (expression: string) => ({ name: 'calculate', args: { expression } })
    context.plays(
      'do the sums',
      { calls: [{ name: 'current_time', args: {} }, sum('1 + 1'), sum('2 / 0')] },
      { calls: [sum('3 + 3')] },
      { calls: [{ name: 'write_artifact', args: { title: 'Sums', content: '6' } }] },
      { tokens: ['Six'] },
    )
    const steps = ['step-1', 'step-2', 'step-3', 'step-3/write_artifact[0]', 'step-4']
    // On a machine under load, a call may take longer than the workflow task can wait for it.
    const ids = await waitUntil(async () => {
      const ids = await doSums()
      return ids.length === steps.length && ids
    })
    expect(ids).toEqual(steps)
  })

  async function doSums(): Promise<string[]> {
    const { body } = await invoke('clerk', { message: 'Please do the sums' })
    const { nodes } = await jobWith(context.workspace.client, body.job_id)
    const calls = nodes.filter(({ node_type }) => node_type === 'tool').map(({ key, status }) => [key, status])
    expect(Object.fromEntries(calls)).toEqual({
      'step-1/current_time[0]': 'completed',
      'step-1/calculate[1]': 'completed',
      'step-1/calculate[2]': 'failed',
      'step-2/calculate[0]': 'completed',
      'step-3/write_artifact[0]': 'completed',
    })
    const { activityIds, summaries, workflowTasks } = await readHistory(body.job_id)
    expect(workflowTasks).toBeLessThanOrEqual(1 + activityIds.length)
    expect(summaries).toEqual(expect.arrayContaining(nodes.map(({ key }) => key)))
    expect(await replayRuns([body.job_id])).toEqual([])
    return activityIds
  }

  test('asks a person and continues with the answer', async () => {
    await context.workspace.client.post('/v1/resources/reflexes', {
      title: 'People',
      slug: 'people',
      document: {
        source: 'builtin',
        tools: [{ name: 'ask_human' }],
      },
    })
    await context.neuron({ slug: 'asker', neuron_type: 'agent', tools: [{ reflex: 'people' }] })
    context.plays(
      'what color',
      { calls: [{ name: 'ask_human', args: { question: 'Which color do you like?' } }] },
      { tokens: ['You like blue.'] },
    )
    const { status, body } = await invoke('asker', { message: 'Find out what color I like' })
    const question = body.waitingFor?.[0]
    expect({ status, said: body.status }).toEqual({ status: 202, said: 'waiting' })
    expect(question).toMatchObject({
      kind: 'questions',
      title: 'Which color do you like?',
      questions: [{ id: 'answer', text: 'Which color do you like?' }],
      node_id: 'ask_human',
    })
    const sentAnswer = await answer(
      context.workspace.client,
      context.workspace.id,
      body.job_id,
      question?.interventionId ?? '',
      {
        action: 'answer_questions',
        answers: { answer: 'blue' },
      },
    )
    expect(sentAnswer.status).toBe(200)
    const job: JobDetail = await jobWith(context.workspace.client, body.job_id)
    expect(job).toMatchObject({ status: 'completed', result: { output: 'You like blue.' } })
    const last = context.models.requests.at(-1)?.turns.at(-1)
    expect(last).toMatchObject({ role: 'tool', text: expect.stringContaining('blue') })
  })
})

describe('a structured answer', () => {
  const output_schema = { type: 'object', properties: { total: { type: 'number' } }, required: ['total'] }

  test('that is invalid is requested again, with the reason', async () => {
    await context.neuron({ slug: 'reader', neuron_type: 'extraction', output_schema })
    context.plays('the total of', { tokens: ['{"total": "twelve"}'] }, { tokens: ['{"total": 12}'] })
    const { status, body } = await invoke('reader', { message: 'Read the total of this: 12 EUR' })
    expect(status).toBe(200)
    expect(body).toMatchObject({ data: { total: 12 }, output: '{"total": 12}' })
    expect(context.models.requests.at(-1)?.turns.at(-1)).toMatchObject({
      role: 'user',
      text: expect.stringContaining('/total'),
    })
  })

  test('that is never valid fails the run with the reason', async () => {
    context.plays('what it never tells', { tokens: ['no'] })
    const { status, body } = await invoke('reader', { message: 'Read what it never tells' })
    expect(status).toBe(502)
    expect(body).toMatchObject({ code: 'RUN_FAILED', message: expect.stringContaining('MODEL_OUTPUT_INVALID') })
  })

  test('from a router is one of its routes', async () => {
    await context.neuron({ slug: 'router', neuron_type: 'router', routes: [{ name: 'sales' }, { name: 'support' }] })
    context.plays('my printer', { tokens: ['{"route": "support"}'] })
    expect((await invoke('router', { message: 'my printer is on fire' })).body.data).toEqual({ route: 'support' })
  })
})

describe('threads', () => {
  const chat = (trace: string, body: object) =>
    context.workspace.client.post<{ job_id: string; trace_id: string }>(`/v1/chat/${trace}`, body)

  test('two simultaneous messages are answered in order, and the second answer takes the first message into account', async () => {
    await context.neuron({ slug: 'listener' })
    context.plays('first thing', { tokens: ['one', ' heard'], delay_ms: 300 })
    context.plays('second thing', { tokens: ['two heard'] })
    const opened = await chat('new', { message: 'Open.', neuron: 'listener' })
    const { trace_id } = opened.body
    const [first, second] = [
      await chat(trace_id, { message: 'first thing' }),
      await chat(trace_id, { message: 'second thing' }),
    ]
    await Promise.all([first, second].map(({ body }) => jobWith(context.workspace.client, body.job_id)))
    const { body } = await context.workspace.client.get<{ messages: { role: string; text: string }[] }>(
      `/v1/traces/${trace_id}`,
    )
    expect(body.messages.map(({ role, text }) => [role, text])).toEqual([
      ['user', 'Open.'],
      ['assistant', 'Hello there.'],
      ['user', 'first thing'],
      ['assistant', 'one heard'],
      ['user', 'second thing'],
      ['assistant', 'two heard'],
    ])
    expect(context.models.requests.at(-1)?.turns.map(({ text }) => text)).toEqual([
      'Open.',
      'Hello there.',
      'first thing',
      'one heard',
      'second thing',
    ])
  })

  test('a message with a recipient opens a thread under a UUID from the client, even when two arrive at once', async () => {
    await context.neuron({ slug: 'opener' })
    const id = randomUUID()
    expect((await chat(id, { message: 'Anyone?' })).status).toBe(404)
    const sent = await Promise.all(['one', 'two'].map(message => chat(id.toUpperCase(), { message, neuron: 'opener' })))
    expect(sent.map(({ status, body }) => [status, body.trace_id])).toEqual([
      [202, id],
      [202, id],
    ])
    for (const { body } of sent) await jobWith(context.workspace.client, body.job_id)
    expect((await chat(id, { message: 'More' })).status).toBe(202)
    const { body } = await context.workspace.client.get<{ trace: { turns: number } }>(`/v1/traces/${id}`)
    expect(body.trace.turns).toBe(3)
    const elsewhere = await context.stack.workspace({ actor: 'user:eve' })
    const foreign = { title: 'opener', slug: 'opener', model: 'builtin:extractive', instructions: 'Answer.' }
    await elsewhere.client.post('/v1/neurons', foreign)
    const taken = await elsewhere.client.post(`/v1/chat/${id}`, { message: 'Mine?', neuron: 'opener' })
    expect(taken.status).toBe(404)
  })

  test('a message queued behind another that is waiting for a person is pending, and names the run it waits for', async () => {
    await context.neuron({ slug: 'queue', neuron_type: 'agent', tools: [{ reflex: 'people' }] })
    context.plays(
      'ask me',
      { calls: [{ name: 'ask_human', args: { question: 'Which?' } }] },
      { tokens: ['Blue it is.'] },
    )
    context.plays('next thing', { tokens: ['done'] })
    const first = await chat('new', { message: 'ask me', neuron: 'queue' })
    const [question] = await asked(context.workspace.client, first.body.job_id)
    const second = await chat(first.body.trace_id, { message: 'next thing' })
    const current_step = `waits for ${first.body.job_id}`
    await waitUntil(async () => {
      const { body } = await context.workspace.client.get<JobDetail>(`/v1/jobs/${second.body.job_id}`)
      return body.current_step === current_step && body.status === 'pending'
    })
    const { body: diagnosis } = await context.workspace.client.get(`/v1/jobs/${second.body.job_id}/diagnosis`)
    expect(diagnosis).toMatchObject({ cause: 'waits_for_turn', evidence: { job_id: first.body.job_id } })
    const sentAnswer = { action: 'answer_questions', answers: { answer: 'blue' } }
    await answer(
      context.workspace.client,
      context.workspace.id,
      first.body.job_id,
      question?.interventionId ?? '',
      sentAnswer,
    )
    expect(await jobWith(context.workspace.client, second.body.job_id)).toMatchObject({
      status: 'completed',
      current_step: null,
    })
  })

  test('of the type system are not listed by default', async () => {
    await context.neuron({ slug: 'quiet' })
    const { body } = await invoke('quiet', { message: 'hush', neuron_task_options: { trace_type: 'system' } })
    const listed = async (query: string) =>
      (await context.workspace.client.get<{ data: { id: string }[] }>(`/v1/traces${query}`)).body.data.map(
        ({ id }) => id,
      )
    expect(await listed('')).not.toContain(body.trace_id)
    expect(await listed('?trace_type=system')).toContain(body.trace_id)
    const deleted = await context.workspace.client.del(`/v1/traces/${body.trace_id}`)
    expect(deleted.status).toBe(202)
    expect((await context.workspace.client.get(`/v1/traces/${body.trace_id}`)).status).toBe(404)
  })

  test('may be answered by a pathway', async () => {
    const made = await context.workspace.client.post<{ id: string }>('/v1/pathways', {
      title: 'Echo',
      slug: 'echo',
      definition: {
        schema: 'pathway/1',
        nodes: [{ id: 'done', type: 'end', output: { text: 'You said ${input.message}' } }],
        edges: [],
      },
    })
    expect(made.status).toBe(201)
    const { body } = await chat('new', { message: 'hi', pathway: 'echo' })
    await jobWith(context.workspace.client, body.job_id)
    const { body: thread } = await context.workspace.client.get<{ messages: { text: string }[] }>(
      `/v1/traces/${body.trace_id}`,
    )
    expect(thread.messages.map(({ text }) => text)).toEqual(['hi', 'You said hi'])
  })

  test('keep their type: a request for another type is rejected, never ignored', async () => {
    await context.neuron({ slug: 'typed' })
    const speak = (route: string, more: object, type?: string) =>
      context.workspace.client.post<Answer>(route, {
        message: 'hush',
        ...more,
        neuron_task_options: { trace_type: type },
      })
    const spoken = async (type?: string) => (await speak('/v1/neurons/typed/invoke', {}, type)).body.trace_id
    const ways = (trace_id: string, type?: string) => [
      speak('/v1/neurons/typed/invoke', { trace_id }, type),
      speak(`/v1/chat/${trace_id}`, {}, type),
      speak(`/v1/chat/${trace_id}`, { pathway: 'echo' }, type),
    ]
    const pointer = '/neuron_task_options/trace_type'
    for (const [type, other] of [
      [undefined, 'system'],
      ['system', 'user'],
    ]) {
      const trace_id = await spoken(type)
      for (const refused of await Promise.all(ways(trace_id, other)))
        expect(refused).toMatchObject({ status: 400, body: { code: 'VALIDATION_ERROR', details: [{ pointer }] } })
      const { body } = await context.workspace.client.get<{ trace: { turns: number } }>(`/v1/traces/${trace_id}`)
      expect(body.trace.turns).toBe(1)
      for (const { status } of await Promise.all(ways(trace_id, type))) expect([200, 202]).toContain(status)
    }
    expect((await speak('/v1/neurons/typed/invoke', {}, 'secret')).status).toBe(400)
  })
})

describe('receptors', () => {
  const make = (fields: object) => context.workspace.client.post<{ id: string }>('/v1/receptors', fields)
  const call = <T = Answer>(slug: string, body: object) =>
    context.workspace.client.post<T>(`/v1/receptors/${context.workspace.slug}/${slug}/invoke`, body)

  test('route to a neuron, by slug and by id', async () => {
    const id = await context.neuron({ slug: 'desk' })
    const made = await make({ title: 'Front desk', slug: 'front-desk', target: { type: 'neuron', ref: 'desk' } })
    expect(made.status).toBe(201)
    const { status, body } = await call('front-desk', { message: 'hello?' })
    expect([status, body.output]).toEqual([200, 'Hello there.'])
    const job = await jobWith(context.workspace.client, body.job_id)
    expect(job).toMatchObject({ receptor_id: made.body.id, neuron_id: id })
    expect((await call(made.body.id, { message: 'hello?', stream: true })).status).toBe(202)
    const listed = await context.workspace.client.get<{ jobs: unknown[] }>(`/v1/jobs?receptor_id=${made.body.id}`)
    expect(listed.body.jobs).toHaveLength(2)
    expect(
      (await context.workspace.client.get<{ receptor: { slug: string } }>('/v1/receptors/front-desk')).body.receptor
        .slug,
    ).toBe('front-desk')
  })

  test('accept the options of a run', async () => {
    const neuron_task_options = { trace_type: 'system' }
    const { body } = await call('front-desk', { message: 'hello?', neuron_task_options })
    const { body: thread } = await context.workspace.client.get<{ trace: object }>(`/v1/traces/${body.trace_id}`)
    expect(thread.trace).toMatchObject(neuron_task_options)
  })

  test('and their targets are rejected if the version does not exist', async () => {
    const refused = async (path: string, body: object) => {
      const { status, body: refusal } = await context.workspace.client.post<{ message: string }>(path, body)
      return [status, refusal.message]
    }
    const message = 'Version 99 of the pathway does not exist'
    expect(await refused('/v1/pathways/echo@99/execute', {})).toEqual([404, message])
    expect(await refused('/v1/jobs', { pathway_id: 'echo@99' })).toEqual([404, message])
    expect(await refused('/v1/chat/new', { pathway: 'echo@99', message: 'hello?' })).toEqual([404, message])
    expect(await refused('/v1/neurons/desk@99/invoke', { message: 'hello?' })).toEqual([
      404,
      'Version 99 of the neuron does not exist',
    ])
    expect(await refused('/v1/pathways/nothing@99/execute', {})).toEqual([404, 'Pathway does not exist'])
  })

  test('route to a pathway', async () => {
    await make({ title: 'Echo', slug: 'echo-desk', target: { type: 'pathway', ref: 'echo' } })
    expect((await call('echo-desk', { message: 'there' })).body).toMatchObject({ output: 'You said there' })
  })

  test('that are disabled or belong to another workspace route nowhere', async () => {
    await make({ title: 'Off', slug: 'off-desk', is_active: false, target: { type: 'neuron', ref: 'desk' } })
    expect((await call('off-desk', { message: 'hello?' })).status).toBe(409)
    const listed = async (isActive: boolean) => {
      const { body } = await context.workspace.client.get<{ data: { slug: string }[] }>(
        `/v1/receptors?limit=200&is_active=${isActive}`,
      )
      return body.data.map(({ slug }) => slug)
    }
    expect(await listed(false)).toEqual(['off-desk'])
    expect(await listed(true)).not.toContain('off-desk')
  })

  test('reject a channel that does not exist', async () => {
    const channels = [{ type: 'slack', channel: 'nowhere' }]
    const refused = await make({ title: 'Mail', target: { type: 'neuron', ref: 'desk' }, channels })
    expect(refused).toMatchObject({ status: 400, body: { details: [{ pointer: '/channels/0/channel' }] } })
  })

  test('in another workspace are rejected, whether they exist or not', async () => {
    const other = await context.stack.workspace()
    const { slug, id, client } = context.workspace
    const called = (workspace: string, slugOrId: string) =>
      client.post(`/v1/receptors/${workspace}/${slugOrId}/invoke`, { message: 'hello?' })
    const there = await called(other.slug, 'front-desk')
    expect(there).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } })
    for (const [workspace, receptor] of [
      [other.slug, 'none'],
      ['elsewhere', 'front-desk'],
      [other.id, 'front-desk'],
    ] as const)
      expect((await called(workspace, receptor)).body).toEqual(there.body)
    expect((await called(slug, 'none')).status).toBe(404)
    expect((await called(id, 'front-desk')).status).toBe(200)
  })
})

describe('a reference in a neuron or a receptor', () => {
  const neuron = { type: 'neuron', ref: 'none' }
  const pathway = { type: 'pathway', ref: 'echo@99' }
  test.each([
    ['neurons', { tools: [{ reflex: 'nope' }] }, '/tools/0/reflex', 'there is no reflex "nope"'],
    [
      'neurons',
      { tools: [{ reflex: 'people', names: ['serch'] }] },
      '/tools/0/names/0',
      '"people" has no tool "serch"',
    ],
    ['neurons', { skills: ['none'] }, '/skills/0', 'there is no skill "none"'],
    ['receptors', { target: neuron }, '/target/ref', 'there is no neuron "none"'],
    ['receptors', { target: pathway }, '/target/ref', 'there is no pathway "echo@99"'],
  ])('is checked on save: %s %j', async (kind, fields, pointer, message) => {
    const { post, patch } = context.workspace.client
    const made = await post(`/v1/${kind}`, { title: 'Lost', ...fields })
    expect(made).toMatchObject({ status: 400, body: { details: [{ pointer, message }] } })
    const slug = kind === 'neurons' ? 'asker' : 'front-desk'
    expect(await patch(`/v1/${kind}/${slug}`, fields)).toMatchObject({
      status: 400,
      body: { details: [{ pointer, message }] },
    })
  })
})

describe('people involved in agent runs', () => {
  const act = async (jobId: string, sentAnswer: object) => {
    const [question] = await asked(context.workspace.client, jobId)
    const reply = await answer(
      context.workspace.client,
      context.workspace.id,
      jobId,
      question?.interventionId ?? '',
      sentAnswer,
    )
    return { question, reply }
  }

  test("an approved call is made with the approver's edits", async () => {
    await context.neuron({ slug: 'careful', neuron_type: 'agent', tools: [{ reflex: 'people', approval: 'always' }] })
    context.plays(
      'careful please',
      { calls: [{ name: 'ask_human', args: { question: 'Shall I?' } }] },
      { tokens: ['Done.'] },
    )
    const { body } = await invoke('careful', { message: 'careful please' })
    const { question, reply } = await act(body.job_id, { action: 'approve' })
    expect(question).toMatchObject({
      kind: 'approval',
      context: { tool: 'ask_human', arguments: { question: 'Shall I?' } },
    })
    expect(reply.status).toBe(200)
    await jobWith(context.workspace.client, body.job_id, 'waiting')
    await act(body.job_id, { action: 'answer_questions', answers: { answer: 'yes' } })
    expect(await jobWith(context.workspace.client, body.job_id)).toMatchObject({ result: { output: 'Done.' } })
  })

  test('a declined call is not made, and the model learns that it was declined', async () => {
    context.plays(
      'decline this',
      { calls: [{ name: 'ask_human', args: { question: 'Shall I?' } }] },
      { tokens: ['Ok.'] },
    )
    const { body } = await invoke('careful', { message: 'decline this' })
    await act(body.job_id, { action: 'reject', comment: 'not today' })
    expect(await jobWith(context.workspace.client, body.job_id)).toMatchObject({ result: { output: 'Ok.' } })
    expect(context.models.requests.at(-1)?.turns.at(-1)?.text).toContain('not today')
  })

  test('a pathway that is waiting inside an agent shows its assignees', async () => {
    const node = {
      id: 'ask',
      type: 'neuron',
      ref: 'asker',
      with: { message: 'Find out what color ${input.who} likes' },
    }
    const definition = {
      schema: 'pathway/1',
      nodes: [node, { id: 'done', type: 'end', output: '${nodes.ask.output.text}' }],
      edges: [{ from: 'ask', to: 'done' }],
    }
    const started = await context.workspace.client.post<{ job_id: string }>('/v1/jobs', {
      pathway: definition,
      input: { who: 'Ann' },
    })
    expect(started.status).toBe(202)
    const { job_id } = started.body
    const [question] = await asked(context.workspace.client, job_id)
    expect(question?.title).toBe('Which color do you like?')
    await answer(
      context.workspace.client,
      context.workspace.id,
      question?.job_id ?? '',
      question?.interventionId ?? '',
      {
        action: 'answer_questions',
        answers: { answer: 'blue' },
      },
    )
    const job = await jobWith(context.workspace.client, job_id)
    expect(job).toMatchObject({ status: 'completed', result: 'You like blue.' })
    expect(job.nodes.map(({ key, status }) => [key, status])).toEqual([
      ['ask', 'completed'],
      ['done', 'completed'],
    ])
  })
})

test('an agent run is forked at a step, and the model continues from the thread before that step', async () => {
  const { client } = context.workspace
  await client.post('/v1/reflexes', {
    title: 'Watch',
    slug: 'watch',
    source: 'builtin',
    tools: [{ name: 'current_time' }],
  })
  await context.neuron({ slug: 'forked', neuron_type: 'agent', tools: [{ reflex: 'watch' }] })
  const look = { calls: [{ name: 'current_time', args: {} }] }
  context.plays('fork me', look, look, { tokens: ['It is late.'] })
  const { body } = await invoke('forked', { message: 'fork me' })
  const origin = await jobWith(client, body.job_id)
  expect(origin.nodes.map(({ key }) => key)).toContain('step-3')
  const path = `/v1/jobs/${body.job_id}/fork`
  const plan = await client.post(path, { from_node: 'step-2', dry_run: true })
  expect(plan.body).toMatchObject({
    reused: [{ key: 'step-1' }, { key: 'step-1/current_time[0]' }],
    runs: [{ key: 'step-2', reason: 'fork_point' }],
    repeated_effects: [{ key: 'step-2/current_time[0]' }],
  })
  const before = context.models.requests.length
  const { body: started } = await client.post<{ job_id: string }>(path, { from_node: 'step-2' })
  const fork = await jobWith(client, started.job_id)
  expect(fork).toMatchObject({
    status: 'completed',
    result: { output: 'It is late.' },
    forked_from: { job_id: body.job_id, from_node: 'step-2' },
  })
  expect(fork.trace_id).not.toBe(origin.trace_id)
  expect(fork.nodes.filter(({ origin_job_id }) => origin_job_id === body.job_id)).toHaveLength(2)
  const asked = context.models.requests.slice(before)
  expect(asked.map(({ turns }) => turns.filter(({ role }) => role === 'assistant').length)).toEqual([1, 2])
  for (const [refused, pointer] of [
    [{ from_node: 'step-9' }, '/from_node'],
    [{ from_node: 'step-2', outputs: {} }, '/outputs'],
  ] as const)
    expect((await client.post(path, refused)).body).toMatchObject({ details: [{ pointer }] })
})
