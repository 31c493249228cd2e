import { useAgents } from '../../support/agents/agents.ts'
import { readEvents, jobWith } from '../../support/runs/runs.ts'
import { waitUntil } from '../../support/stack/process.ts'

const context = useAgents()

interface Answer {
  output: string
  trace_id: string
  job_id: string
}

const invoke = (slug: string, message: string) =>
  context.workspace.client.post<Answer>(`/v1/neurons/${slug}/invoke`, { message })

const builtins = (slug: string, ...names: string[]) =>
  context.workspace.client.post('/v1/reflexes', {
    title: slug,
    slug,
    source: 'builtin',
    tools: names.map(name => ({ name })),
  })

describe('skills', () => {
  test('are listed by name, and loaded when the model requests one', async () => {
    const made = await context.workspace.client.post('/v1/skills', {
      title: 'Refunds',
      slug: 'refunds',
      description: 'How money is given back',
      instructions: 'Refund within 14 days.',
      files: [{ name: 'limits.md', text: 'At most 500 EUR.' }],
    })
    expect(made.status).toBe(201)
    await context.neuron({ slug: 'clerk', neuron_type: 'agent', skills: ['refunds'], tools: [] })
    context.plays(
      'my money back',
      { calls: [{ name: 'load_skill', args: { name: 'refunds' } }] },
      { calls: [{ name: 'load_skill', args: { name: 'refunds', file: 'limits.md' } }] },
      { tokens: ['Within 14 days, up to 500 EUR.'] },
    )
    const { body } = await invoke('clerk', 'I want my money back')
    expect(body.output).toBe('Within 14 days, up to 500 EUR.')
    const [first, second, third] = context.models.requests.slice(-3)
    expect(first?.turns[0]?.text).toContain('refunds: Refunds. How money is given back')
    expect(first?.turns[0]?.text).not.toContain('14 days')
    expect(second?.turns.at(-1)?.text).toContain('Refund within 14 days.')
    expect(third?.turns.at(-1)?.text).toContain('At most 500 EUR.')
  })

  test('that were deleted prevent a neuron from running, and the error lists them', async () => {
    await context.workspace.client.post('/v1/skills', { title: 'Fees', slug: 'fees', instructions: 'None.' })
    await context.neuron({ slug: 'lost', skills: ['fees'] })
    await context.workspace.client.del('/v1/skills/fees')
    const { status, body } = await invoke('lost', 'hello')
    expect(status).toBe(400)
    expect(body).toMatchObject({ details: [{ pointer: '/skills/0', message: 'there is no skill "fees"' }] })
  })
})

describe('memory', () => {
  test('is kept across threads, is found by meaning with its source, and can be deleted', async () => {
    await builtins('memory', 'remember', 'recall')
    const id = await context.neuron({ slug: 'friend', neuron_type: 'agent', tools: [{ reflex: 'memory' }] })
    context.plays(
      'I keep bees',
      { calls: [{ name: 'remember', args: { text: 'Ann keeps bees in her garden.' } }] },
      { tokens: ['Noted.'] },
    )
    context.plays(
      'which animals',
      { calls: [{ name: 'recall', args: { query: 'insects she looks after' } }] },
      { tokens: ['Bees.'] },
    )
    const first = await invoke('friend', 'I keep bees')
    const listed = () =>
      context.workspace.client.get<{ data: { id: string; text: string; source: object }[] }>(
        '/v1/recollections?neuron=friend',
      )
    const [kept] = (await listed()).body.data
    expect(kept).toMatchObject({
      text: 'Ann keeps bees in her garden.',
      neuron_id: id,
      source: { trace_id: first.body.trace_id, job_id: first.body.job_id },
    })
    const recall = (query: string) =>
      context.workspace.client.post<{ recollections: { text: string }[] }>('/v1/recollections/search', {
        neuron: 'friend',
        query,
      })
    await waitUntil(async () => (await recall('bees')).body.recollections.length === 1)
    expect((await recall('bees '.repeat(2_000))).body).toMatchObject({
      recollections: [expect.anything()],
      truncated: true,
    })
    await invoke('friend', 'which animals do I have?')
    expect(context.models.requests.at(-1)?.turns.at(-1)?.text).toContain('Ann keeps bees')
    const found = await context.workspace.client.post<{ matches: { type: string }[] }>('/v1/search', {
      query: 'bees in her garden',
    })
    expect(found.body.matches.map(({ type }) => type)).not.toContain('recollections')
    const tree = await context.workspace.client.post<{ nodes: { title: string }[] }>('/v1/browse/resource-tree', {})
    expect(tree.body.nodes.map(({ title }) => title)).not.toContain('recollections')
    expect((await context.workspace.client.del(`/v1/recollections/${kept?.id}`)).status).toBe(204)
    expect((await listed()).body.data).toEqual([])
  })

  test('is added automatically if the neuron has recollection enabled', async () => {
    await context.neuron({ slug: 'recalling', memory: { recollect: true } })
    await context.workspace.client.post('/v1/recollections', {
      neuron: 'recalling',
      text: 'Bob is allergic to peanuts.',
    })
    await waitUntil(
      async () =>
        (
          await context.workspace.client.post<{ recollections: unknown[] }>('/v1/recollections/search', {
            neuron: 'recalling',
            query: 'peanuts',
          })
        ).body.recollections.length === 1,
    )
    const { body } = await invoke('recalling', 'What may Bob not eat?')
    await jobWith(context.workspace.client, body.job_id)
    expect(context.models.requests.at(-1)?.turns[0]?.text).toContain('Bob is allergic to peanuts.')
  })
})

describe('pathways and neurons as tools', () => {
  test('run as child runs and return their results to the call', async () => {
    await context.workspace.client.post('/v1/pathways', {
      title: 'Double',
      slug: 'double',
      description: 'Doubles a number',
      definition: {
        schema: 'pathway/1',
        input: { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] },
        nodes: [{ id: 'done', type: 'end', output: { twice: '${input.n * 2}' } }],
        edges: [],
      },
    })
    await context.workspace.client.post('/v1/reflexes', {
      title: 'D',
      slug: 'doubling',
      source: 'pathway',
      target: 'double',
    })
    await context.neuron({ slug: 'poet', instructions: 'You are a poet.' })
    await context.workspace.client.post('/v1/reflexes', {
      title: 'P',
      slug: 'poetry',
      source: 'neuron',
      target: 'poet',
    })
    await context.neuron({
      slug: 'boss',
      neuron_type: 'agent',
      tools: [{ reflex: 'doubling' }, { reflex: 'poetry' }],
    })
    const offered = await context.workspace.client.get<{ data: { name: string; source: string }[] }>('/v1/tools')
    expect(offered).toMatchObject({ status: 200 })
    const nameOf = (source: string) => offered.body.data.find(tool => tool.source === source)?.name ?? ''
    context.plays(
      'double and rhyme',
      {
        calls: [
          { id: 'a', name: nameOf('pathway'), args: { n: 21 } },
          { id: 'b', name: nameOf('neuron'), args: { message: 'write a verse' } },
        ],
      },
      { tokens: ['42, and a verse.'] },
    )
    context.plays('write a verse', { tokens: ['Roses are red'] })
    const { body } = await invoke('boss', 'double and rhyme')
    expect(body.output).toBe('42, and a verse.')
    const toolTurns = context.models.requests.at(-1)?.turns.filter(({ role }) => role === 'tool')
    expect(toolTurns?.map(({ call_id, text }) => [call_id, text])).toEqual([
      ['a', expect.stringContaining('42')],
      ['b', expect.stringContaining('Roses are red')],
    ])
    const job = await jobWith(context.workspace.client, body.job_id)
    expect(job.nodes.map(({ node_type, status }) => [node_type, status])).toEqual(
      expect.arrayContaining([
        ['model', 'completed'],
        ['pathway', 'completed'],
        ['neuron', 'completed'],
      ]),
    )
    const call = job.nodes.find(({ node_type }) => node_type === 'neuron')
    const verse = (await readEvents(context.workspace.client, body.job_id)).map(({ data }) => data)
    const ofPoet = verse.filter(event => 'job_id' in event && event.job_id === call?.child_job_id)
    expect(ofPoet.flatMap(event => (event.type === 'token' ? [event.token] : [])).join('')).toBe('Roses are red')
    expect(ofPoet.every(event => 'key' in event && event.key?.startsWith(`${call?.key}/`))).toBe(true)
  })
})
