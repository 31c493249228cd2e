import { findNodeKind, NODE_TYPES } from '../../../domain/pathways/kinds/index.ts'
import { audioBody } from '../../support/speech/audio.ts'
import { type Ledger, startLedger } from '../../support/shared/ledger.ts'
import { waitUntil } from '../../support/stack/process.ts'
import { readHistory } from '../../support/runs/operator-view.ts'
import { readEvents, jobWith, pathway, startRun } from '../../support/runs/runs.ts'
import { useScriptedStack } from '../../support/agents/scripted-providers.ts'

const context = useScriptedStack()
let ledger: Ledger

beforeAll(async () => {
  ledger = await startLedger()
  const map = { title: 'People', slug: 'people', snapshot: { stakeholders: [{ id: 'ann', name: 'Ann' }] } }
  await context.workspace.client.post('/v1/resources/stakeholder_maps', map)
  await context.workspace.client.post('/v1/reflexes', { title: 'Built in', slug: 'builtin', source: 'builtin' })
  await context.workspace.client.post('/v1/reflexes', {
    title: 'Ledger',
    slug: 'ledger',
    source: 'openapi',
    openapi: JSON.stringify({
      openapi: '3.0.3',
      info: { title: 'Ledger', version: '1' },
      servers: [{ url: ledger.url }],
      paths: {
        '/slow': {
          get: { operationId: 'look', parameters: [HANG], responses },
          post: { operationId: 'book', parameters: [HANG], responses },
        },
      },
    }),
  })
  // The first call loads code. On a busy machine that exceeds the time limit of a local attempt, so the call would be
  // retried.
  const warm = pathway(
    [
      { id: 'node', type: 'tool', ...NODES.tool?.() },
      { id: 'end', type: 'end' },
    ],
    'node > end',
  )
  await jobWith(context.workspace.client, await startRun(context.workspace.client, warm))
})
afterAll(() => ledger?.close())

const responses = { 200: { description: 'fine' } }
const DELAY = { name: 'delay_ms', in: 'query', schema: { type: 'integer' } }
const HANG = { name: 'hang', in: 'query', schema: { type: 'string' } }

/** One node of each type that is executed in an activity. */
const NODES: Record<string, () => object> = {
  http: () => ({ with: { url: `${ledger.url}/x` } }),
  neuron: () => ({ with: { message: 'Sum up: the sky is blue.' } }),
  search: () => ({ with: { query: 'anything', mode: 'keyword' } }),
  tool: () => ({ with: { reflex: 'builtin', name: 'current_time', args: {} } }),
  transcribe: () => ({ with: audioBody('mp3') }),
  stakeholders: () => ({ with: { action: 'propose', map: 'people', found: [] } }),
}

describe('a node that is executed in an activity', () => {
  test.each(NODE_TYPES.filter(type => findNodeKind(type)?.effect))(
    '%s reports its start once and its end once',
    async type => {
      const node = { id: 'node', type, ...NODES[type]?.() }
      const jobId = await startRun(context.workspace.client, pathway([node, { id: 'end', type: 'end' }], 'node > end'))
      const events = (await readEvents(context.workspace.client, jobId)).map(({ data }) => data)
      const statuses = events.flatMap(event => (event.type === 'node' && event.key === 'node' ? [event.status] : []))
      expect(statuses).toEqual(['running', 'completed'])
    },
  )
})

test('a short read-only tool call needs no activity, and gets one only if it takes long', async () => {
  const openapi = JSON.stringify({
    openapi: '3.0.3',
    info: { title: 'Quick', version: '1' },
    servers: [{ url: ledger.url }],
    paths: {
      '/quick': {
        get: { operationId: 'read', parameters: [DELAY], responses },
        post: { operationId: 'write', responses },
      },
    },
  })
  const reflex = { title: 'Quick', slug: 'quick', source: 'openapi', is_short: true, openapi }
  expect((await context.workspace.client.post('/v1/reflexes', reflex)).body).toMatchObject({ is_short: true })
  const tools = (await context.workspace.client.get<{ data: { name: string }[] }>('/v1/tools?limit=100')).body.data
  expect(tools.filter(tool => 'is_short' in tool).map(({ name }) => name)).toContain('read')
  expect(tools.filter(tool => 'is_short' in tool).map(({ name }) => name)).not.toContain('write')
  const call = (id: string, name: string, args = {}) => ({ id, type: 'tool', with: { reflex: 'quick', name, args } })
  const nodes = [
    call('quick', 'read'),
    call('booked', 'write'),
    call('slow', 'read', { delay_ms: 1_000 }),
    { id: 'end', type: 'end' },
  ]
  const findActivities = async () => {
    const jobId = await startRun(
      context.workspace.client,
      pathway(nodes, 'quick > booked', 'booked > slow', 'slow > end'),
    )
    expect(await jobWith(context.workspace.client, jobId)).toMatchObject({ status: 'completed' })
    const ends = (await readEvents(context.workspace.client, jobId)).filter(
      ({ data }) => data.type === 'node' && data.key === 'slow' && data.status === 'completed',
    )
    expect(ends).toHaveLength(1)
    const { activityIds } = await readHistory(jobId)
    expect(activityIds.filter(id => id !== 'quick')).toEqual(['booked', 'slow'])
    return activityIds
  }
  // On a machine under load, the first call may also take long.
  await waitUntil(async () => (await findActivities()).length === 2)
})

test('a call that reaches its time limit is in doubt, and stays failed even if it completes later', async () => {
  const call = {
    id: 'call',
    type: 'http',
    with: { method: 'POST', url: `${ledger.url}/pay?delay_ms=2500`, json: {} },
    timeout: 'PT1S',
    retry: { max_attempts: 1 },
  }
  const jobId = await startRun(context.workspace.client, pathway([call]))
  const { failedReason, receipt, nodes } = await jobWith(context.workspace.client, jobId)
  expect(failedReason).toContain('timed out')
  expect(receipt).toEqual([{ node_id: 'call', key: 'call', outcome: 'in_doubt' }])
  expect(nodes).toMatchObject([{ key: 'call', status: 'failed', error: { code: 'TIMEOUT' } }])
})

describe('the receipt of an interrupted call', () => {
  const cases = [
    ['book', 'in_doubt'],
    ['look', 'stopped'],
  ] as const

  test.each(cases)('of the tool %s is %s', async (name, outcome) => {
    const before = ledger.requests.length
    const call = { id: 'call', type: 'tool', with: { reflex: 'ledger', name, args: { hang: 'true' } } }
    const jobId = await startRun(context.workspace.client, pathway([call]))
    await waitUntil(() => ledger.requests.length > before)
    await context.workspace.client.post(`/v1/jobs/${jobId}/cancel`)
    expect((await jobWith(context.workspace.client, jobId)).receipt).toMatchObject([
      { node_id: 'call', key: 'call', outcome },
    ])
  })
})
