import { type Stack, startStack, type TestWorkspace } from '../../support/stack/stack.ts'

/** Uses malformed ids, and ids from another workspace. */

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
  const fields = { slug: 'ask', title: 'Ask', definition: DEFINITION }
  const made = await mine.client.post<{ id: string }>('/v1/pathways', fields)
  expect(made.status).toBe(201)
  pathwayId = made.body.id
})
afterAll(() => stack?.stop())

const STRANGE = [
  'nope',
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

test.each(STRANGE)('the id %s returns a 4xx status on every route', async id => {
  const { client } = mine
  const input = { type: 'intervention_response', interventionId: decodeURIComponent(id), action: 'approve' }
  const reads = [`pathways/${id}`, `pathways/${id}/history`, `resources/pathways/${id}`, `resources/${id}`]
  const jobs = [`jobs/${id}`, `jobs/${id}/status`, `interventions/${id}`]
  const acts = ['cancel', 'pause', 'resume'].map(act => `jobs/${id}/${act}`)
  const writes = [`pathways/${id}/execute`, `pathways/${id}/restore`, ...acts]

  const answers = new Map<string, number>()
  for (const path of [...reads, ...jobs]) answers.set(path, (await client.get(`/v1/${path}`)).status)
  for (const path of writes) answers.set(path, (await client.post(`/v1/${path}`)).status)
  answers.set('input', (await client.post(`/v1/jobs/${id}/input`, { workspace_id: mine.id, input })).status)
  expect([...answers].filter(([, status]) => status !== 404 && status !== 400)).toEqual([])

  for (const query of [`jobs?pathway_id=${id}`, `interventions?job_id=${id}&assignee=${id}`]) {
    expect((await client.get(`/v1/${query}`)).status).toBeLessThan(500)
  }
  await expect(client.sse(`/v1/jobs/${id}/stream`)).rejects.toThrow(/^(?:404|400) /)
})

test('resources in another workspace are not found', async () => {
  const other = await stack.workspace()
  for (const path of [`pathways/${pathwayId}`, `resources/pathways/${pathwayId}`]) {
    const { body } = await other.client.get(`/v1/${path}`)
    expect(body).toEqual({ message: 'Pathway does not exist', code: 'NOT_FOUND' })
  }
  expect((await other.client.post(`/v1/pathways/${pathwayId}/execute`)).status).toBe(404)
  expect((await other.client.patch(`/v1/pathways/${pathwayId}`, { title: 'x' })).status).toBe(404)
  expect((await other.client.del(`/v1/pathways/${pathwayId}`)).status).toBe(404)

  const { body } = await mine.client.post<{ job_id: string }>('/v1/pathways/ask/execute')
  for (const path of ['', '/status']) {
    expect((await other.client.get(`/v1/jobs/${body.job_id}${path}`)).status).toBe(404)
  }
  await expect(other.client.sse(`/v1/jobs/${body.job_id}/stream`)).rejects.toThrow(/^404 /)
  for (const act of ['cancel', 'pause', 'resume']) {
    expect((await other.client.post(`/v1/jobs/${body.job_id}/${act}`)).status).toBe(404)
  }
  expect((await mine.client.post(`/v1/jobs/${body.job_id}/cancel`)).status).toBe(200)
})

test.each([
  { slug: 'Not A Slug' },
  { path: 'no-slash' },
  { path: '/../etc' },
  { title: '' },
  { title: 'x'.repeat(301) },
  { brain_id: 'x' },
  { is_active: 'yes' },
  { description: 5 },
  { note: 'x'.repeat(3_000) },
])('a pathway with %j returns 400', async fields => {
  expect((await mine.client.post('/v1/pathways', { definition: DEFINITION, ...fields })).status).toBe(400)
  expect((await mine.client.patch('/v1/pathways/ask', fields)).status).toBe(400)
})

test('none of these requests causes a server error', () => {
  expect(stack.api.output()).not.toMatch(/"status":5\d\d/)
})
