import { setTimeout as sleep } from 'node:timers/promises'
import { startStack } from '../support/stack.ts'
import type { Stack, TestWorkspace } from '../support/stack.ts'

/** On the real services: whatever is sent, the answer is a 4xx that says what is wrong, and nothing is left stuck. */

let stack: Stack
let mine: TestWorkspace
let pathwayId: string

const DEFINITION = {
  schema: 'pathway/1',
  nodes: [
    { id: 'ask', type: 'human', kind: 'approval' },
    { id: 'done', type: 'end', output: 1 },
  ],
  edges: [
    { from: 'ask', on: 'approve', to: 'done' },
    { from: 'ask', on: 'reject', to: 'done' },
  ],
}

beforeAll(async () => {
  stack = await startStack()
  mine = await stack.workspace()
  const made = await mine.client.post<{ id: string }>('/v1/pathways', {
    slug: 'ask',
    title: 'Ask',
    definition: DEFINITION,
  })
  expect(made.status).toBe(201)
  pathwayId = made.body.id
})
afterAll(() => stack.stop())

const STRANGE_IDS = [
  'nope',
  '1',
  '%20',
  '%27;drop',
  '..%2f..',
  'a%00b',
  '%F0%9F%92%A9',
  'x'.repeat(500),
  'nope@1',
  '-',
  '00000000-0000-0000-0000-000000000000',
]

test.each(STRANGE_IDS)('the id %s is a 4xx everywhere', async id => {
  const { client } = mine
  const gets = [
    `pathways/${id}`,
    `pathways/${id}/history`,
    `resources/pathways/${id}`,
    `resources/${id}`,
    `jobs/${id}`,
    `jobs/${id}/status`,
    `interventions/${id}`,
    `jobs?pathway_id=${id}`,
    `interventions?job_id=${id}&assignee=${id}`,
  ]
  for (const path of gets) {
    const { status } = await client.get(`/v1/${path}`)
    expect([path, status < 500]).toEqual([path, true])
  }
  for (const path of [
    `pathways/${id}/execute`,
    `pathways/${id}/restore`,
    `jobs/${id}/cancel`,
    `jobs/${id}/pause`,
    `jobs/${id}/resume`,
  ]) {
    const { status } = await client.post(`/v1/${path}`)
    expect([path, status === 404 || status === 400]).toEqual([path, true])
  }
  const input = { type: 'intervention_response', interventionId: decodeURIComponent(id), action: 'approve' }
  expect((await client.post(`/v1/jobs/${id}/input`, { workspace_id: mine.id, input })).status).toBeGreaterThanOrEqual(
    400,
  )
  await expect(client.sse(`/v1/jobs/${id}/stream`)).rejects.toThrow(/^(?:404|400) /)
})

test('ids of another workspace do not exist', async () => {
  const other = await stack.workspace()
  for (const path of [`pathways/${pathwayId}`, `resources/pathways/${pathwayId}`]) {
    expect((await other.client.get(`/v1/${path}`)).body).toEqual({
      message: 'Pathway does not exist',
      code: 'NOT_FOUND',
    })
  }
  expect((await other.client.post(`/v1/pathways/${pathwayId}/execute`)).status).toBe(404)
  expect((await other.client.patch(`/v1/pathways/${pathwayId}`, { title: 'x' })).status).toBe(404)
  expect((await other.client.del(`/v1/pathways/${pathwayId}`)).status).toBe(404)
  const { body } = await mine.client.post<{ job_id: string }>('/v1/pathways/ask/execute')
  for (const path of ['', '/status'])
    expect((await other.client.get(`/v1/jobs/${body.job_id}${path}`)).status).toBe(404)
  await expect(other.client.sse(`/v1/jobs/${body.job_id}/stream`)).rejects.toThrow(/^404 /)
  expect((await other.client.post(`/v1/jobs/${body.job_id}/cancel`)).status).toBe(404)
})

const node = (id: string) => ({ id, type: 'transform', with: { value: 1 } })
const DEFINITIONS: [string, unknown][] = [
  ['nothing', null],
  ['a string', 'pathway'],
  ['an array', []],
  ['no nodes', { schema: 'pathway/1', nodes: [], edges: [] }],
  ['another schema', { ...DEFINITION, schema: 'pathway/9' }],
  ['unknown fields', { ...DEFINITION, extra: 1 }],
  ['an unknown type', { schema: 'pathway/1', nodes: [{ id: 'a', type: 'wish' }], edges: [] }],
  ['a type that is not there yet', { schema: 'pathway/1', nodes: [{ id: 'a', type: 'search', with: {} }], edges: [] }],
  ['10,000 nodes', { schema: 'pathway/1', nodes: Array.from({ length: 10_000 }, (_, n) => node(`n${n}`)), edges: [] }],
  [
    'a cycle',
    {
      schema: 'pathway/1',
      nodes: [node('a'), node('b')],
      edges: [
        { from: 'a', to: 'b' },
        { from: 'b', to: 'a' },
      ],
    },
  ],
  ['an edge to nowhere', { schema: 'pathway/1', nodes: [node('a')], edges: [{ from: 'a', to: 'z' }] }],
  ['the same id twice', { schema: 'pathway/1', nodes: [node('a'), node('a')], edges: [] }],
  ['a broken expression', { schema: 'pathway/1', nodes: [{ ...node('a'), with: { value: '${1 +}' } }], edges: [] }],
  [
    'a deep body',
    { schema: 'pathway/1', nodes: [{ id: 'a', type: 'map', items: [], body: { nodes: 5, edges: null } }], edges: [] },
  ],
  ['wrong types', { schema: 1, nodes: { a: 1 }, edges: 'none', input: 7 }],
]

test.each(DEFINITIONS)('a definition with %s is 400 with its problems', async (_, definition) => {
  const { client } = mine
  for (const [path, body] of [
    ['/v1/pathways', { title: 'x', definition }],
    ['/v1/jobs', { pathway: definition }],
  ] as const) {
    const answer = await client.post<{ code: string; details: object[] }>(path, body)
    expect([path, answer.status, answer.body.code]).toEqual([path, 400, 'VALIDATION_ERROR'])
    expect(answer.body.details.length).toBeGreaterThan(0)
  }
})

test.each([
  { slug: 'Not A Slug' },
  { slug: 'x'.repeat(101) },
  { path: 'no-slash' },
  { path: '/../etc' },
  { title: '' },
  { title: 'x'.repeat(301) },
  { brain_id: 'x' },
  { is_active: 'yes' },
  { description: 5 },
  { note: 'x'.repeat(3_000) },
])('a pathway with %j is 400', async fields => {
  expect((await mine.client.post('/v1/pathways', { definition: DEFINITION, ...fields })).status).toBe(400)
  expect((await mine.client.patch('/v1/pathways/ask', fields)).status).toBe(400)
})

test('a brain that is not there, or not a UUID', async () => {
  const headers = (id: string) => ({ headers: { 'X-Brain-Id': id } })
  expect((await mine.client.get('/v1/pathways', headers('x'))).status).toBe(400)
  expect((await mine.client.get('/v1/pathways', headers(mine.id))).status).toBe(403)
  expect((await mine.client.get('/v1/pathways', headers(mine.brain_id))).status).toBe(200)
})

test('a run that was sent nonsense still ends well', async () => {
  const { client } = mine
  const { body } = await client.post<{ job_id: string }>('/v1/pathways/ask/execute', {
    input: { strange: ['\u2028', '💩', 1e308, -0] },
  })
  const open = async () =>
    (await client.get<{ waitingFor?: { interventionId: string } }>(`/v1/jobs/${body.job_id}/status`)).body.waitingFor
  let asked = await open()
  for (; !asked; asked = await open()) await sleep(50)
  const { interventionId } = asked
  const send = (workspace_id: string, input: object) =>
    client.post(`/v1/jobs/${body.job_id}/input`, { workspace_id, input })
  const good = { type: 'intervention_response', interventionId, action: 'approve' }
  for (const wrong of [
    { ...good, action: 'submit_input', data: {} },
    { ...good, interventionId: 'other' },
    { ...good, answers: { a: 'b' } },
    { ...good, action: 'answer_questions' },
  ]) {
    expect((await send(mine.id, wrong)).status).toBe(400)
  }
  expect((await send(mine.brain_id, good)).status).toBe(403)
  expect((await send(mine.id, good)).status).toBe(200)
  const said = []
  for await (const { data } of await client.sse(`/v1/jobs/${body.job_id}/stream`)) if (data) said.push(data.type)
  expect(said.at(0)).toBe('status')
  expect(said.at(-1)).toBe('complete')
  expect(said).not.toContain('gap')
})

test('nothing of all this was an error on our side', () => {
  expect(stack.api.output()).not.toMatch(/"status":500/)
})
