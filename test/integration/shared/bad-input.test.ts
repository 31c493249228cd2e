import { pathway, startRun } from '../../support/runs/runs.ts'
import { useStack } from '../../support/stack/use-stack.ts'

const context = useStack()

interface Refused {
  code: string
  message: string
  details?: { pointer: string; message: string }[]
}

const value = (id: string, result: unknown) => ({ id, type: 'transform', with: { value: result } })
const save = (definition: unknown) =>
  context.workspace.client.post<Refused>('/v1/pathways', { title: 'Bad', definition })
const raw = (text: string, headers: Record<string, string> = {}) =>
  context.workspace.client.post<Refused>('/v1/jobs', undefined, {
    raw: text,
    headers: { 'Content-Type': 'application/json', ...headers },
  })

describe('bodies', () => {
  test.each([
    ['malformed JSON', '{"pathway": ', 400],
    ['a value that is not an object', '[1, 2]', 400],
    ['a bare word', 'hello', 400],
    ['deep nesting', '['.repeat(5_000) + ']'.repeat(5_000), 400],
    ['five megabytes', JSON.stringify({ input: 'x'.repeat(5_000_000) }), 413],
    ['wrong types', JSON.stringify({ pathway_id: 5 }), 400],
    ['neither pathway nor id', '{}', 400],
    ['both', JSON.stringify({ pathway_id: 'x', pathway: pathway([value('a', 1)]) }), 400],
    ['unknown fields', JSON.stringify({ pathway: pathway([value('a', 1)]), color: 'red' }), 400],
  ])('%s', async (_name, body, status) => {
    const reply = await raw(body)
    expect(reply.status).toBe(status)
    expect(reply.body.message).not.toBe('')
  })

  test('an unknown field is named in the error', async () => {
    expect(JSON.stringify((await raw(JSON.stringify({ pathway_id: 'x', color: 'red' }))).body)).toContain('color')
  })

  test('of the wrong type return 415', async () => {
    expect((await raw('<xml/>', { 'Content-Type': 'text/xml' })).status).toBe(415)
  })
})

describe('ids and parameters', () => {
  test.each([
    ['/v1/jobs/nope', 404],
    ['/v1/jobs/%00', 400],
    ["/v1/jobs/'; drop table jobs", 404],
    ['/v1/pathways/not-a-uuid', 404],
    ['/v1/pathways/not-a-uuid?version=0', 400],
    ['/v1/pathways/not-a-uuid?version=one', 400],
    ['/v1/neurons/nobody?version=0', 400],
    ['/v1/jobs?limit=0', 400],
    ['/v1/jobs?limit=201', 400],
    ['/v1/jobs?offset=-1', 400],
    ['/v1/jobs?status=sleeping', 400],
    ['/v1/jobs?pathway_id=nope', 200],
    ['/v1/nowhere', 404],
  ])('%s returns %d', async (path, status) => {
    expect((await context.workspace.client.get(encodeURI(path).replace('%2500', '%00'))).status).toBe(status)
  })

  test('no text in a query string causes an internal error', async () => {
    interface Operation {
      parameters?: { name: string; in: string }[]
    }
    // Some reads are executed as jobs.
    const { client } = await context.stack.workspace()
    const { body } = await client.get<{ paths: Record<string, { get?: Operation }> }>('/v1/openapi.json')
    const queries = ['%00', '%ED%A0%80', encodeURIComponent('😀'.repeat(1_500)), '__proto__', '2027-02-30']
    const paths = Object.entries(body.paths).flatMap(([path, { get }]) => {
      const names = (get?.parameters ?? []).filter(place => place.in === 'query').map(({ name }) => name)
      const concrete = path.replaceAll(/\{\w+\}/g, 'x')
      return path.endsWith('/stream') ? [] : names.flatMap(name => queries.map(query => `${concrete}?${name}=${query}`))
    })
    expect(paths.length).toBeGreaterThan(500)
    const failed: string[] = []
    while (paths.length > 0) {
      const statuses = await Promise.all(
        paths.splice(0, 20).map(async path => [path, (await client.get(path)).status] as const),
      )
      failed.push(...statuses.filter(([, status]) => status >= 500).map(([path]) => path))
    }
    expect(failed).toEqual([])
  })

  test('an invalid after parameter is rejected before the stream opens', async () => {
    const jobId = await startRun(context.workspace.client, pathway([value('a', 1)]))
    for (const after of ['garbage', '1', '1-', '-1-1', '1-1-1', '1e3-0', "1-0'"]) {
      await expect(
        context.workspace.client.sse(`/v1/jobs/${jobId}/stream?after=${encodeURIComponent(after)}`),
      ).rejects.toThrow('400 VALIDATION_ERROR')
    }
    await expect(
      context.workspace.client.sse(`/v1/jobs/${jobId}/stream`, { headers: { 'Last-Event-ID': 'x' } }),
    ).rejects.toThrow('400')
  })

  test('an unknown brain, or a malformed brain id', async () => {
    const headers = (id: string) => ({ headers: { 'X-Brain-Id': id } })
    expect((await context.workspace.client.get('/v1/jobs', headers('nope'))).status).toBe(400)
    expect(
      (await context.workspace.client.get('/v1/jobs', headers('01975cab-0000-7000-8000-000000000000'))).status,
    ).toBe(403)
    expect((await context.workspace.client.get('/v1/jobs', headers(context.workspace.brain_id))).status).toBe(200)
  })
})

describe('definitions', () => {
  test('contain every problem with its location', async () => {
    const reply = await save(
      pathway(
        [value('a', '${nope}'), { id: 'b', type: 'human', kind: 'aproval' }, { id: 'c', type: 'teleport' }],
        'a > b',
        'b > zz',
      ),
    )
    expect(reply).toMatchObject({ status: 400, body: { code: 'VALIDATION_ERROR' } })
    expect(reply.body.details?.map(({ pointer }) => pointer)).toEqual(
      expect.arrayContaining(['/definition/nodes/1/kind', '/definition/nodes/2/type']),
    )
  })

  test.each([
    ['a definition with 10,000 nodes', pathway(Array.from({ length: 10_000 }, (_, i) => value(`n${i}`, i)))],
    ['a cycle', pathway([value('a', 1), value('b', 2)], 'a > b', 'b > a')],
    ['a tool node without a tool', pathway([{ id: 's', type: 'tool', with: {} }])],
    ['an unknown reference', pathway([{ id: 'p', type: 'pathway', ref: 'nobody' }])],
    ['a human node without an edge', pathway([{ id: 'h', type: 'human', kind: 'approval' }])],
    ['matches()', pathway([value('a', '${"aaaa".matches("(a+)+$")}')])],
    ['a missing schema', { nodes: [], edges: [] }],
    ['null', null],
    ['text', 'pathway'],
  ])('%s is rejected', async (_name, definition) => {
    expect((await save(definition)).status).toBe(400)
  })

  test('an expression that would never finish fails its node, and the run continues to its end', async () => {
    const list = Array.from({ length: 3_000 }, (_, i) => i)
    const costly = '${input.map(a, input.map(b, input.map(c, a * b * c)))}'
    const jobId = await startRun(
      context.workspace.client,
      pathway([value('a', costly), value('e', '${nodes.a.error.code}')], 'a.error > e'),
      list,
    )
    const events = await context.workspace.client.sse(`/v1/jobs/${jobId}/stream`)
    let last: unknown
    for await (const { data } of events) last = data ?? last
    expect(last).toEqual({ type: 'complete', result: 'EXPRESSION_TOO_COSTLY' })
  })

  test('an invalid input is rejected before anything starts', async () => {
    const definition = {
      ...pathway([value('a', 1)]),
      input: { type: 'object', required: ['n'], properties: { n: { type: 'integer' } } },
    }
    const reply = await context.workspace.client.post<Refused>('/v1/jobs', { pathway: definition, input: { n: 'x' } })
    expect(reply).toMatchObject({ status: 400, body: { details: [{ pointer: '/input/n' }] } })
    const { body } = await context.workspace.client.get<{ jobs: { title: string; pathway_id: string | null }[] }>(
      '/v1/jobs?limit=200',
    )
    expect(body.jobs.every(job => job.title === 'Inline pathway')).toBe(true)
  })

  test('a subflow that contains itself is rejected', async () => {
    const made = await context.workspace.client.post<{ id: string }>('/v1/pathways', {
      title: 'Self',
      slug: 'self',
      definition: pathway([value('a', 1)]),
    })
    const self = pathway([{ id: 'p', type: 'pathway', ref: 'self' }])
    const patched = await context.workspace.client.patch(`/v1/pathways/${made.body.id}`, { definition: self })
    const started =
      patched.status === 200 ? (await context.workspace.client.post('/v1/jobs', { pathway_id: 'self' })).status : 400
    expect(started).toBe(400)
  })
})

describe('credentials', () => {
  test.each([undefined, 'Bearer nope', 'Basic abc', 'Bearer gng_a_b_c'])('%s', async authorization => {
    const reply = await fetch(`${context.stack.baseUrl}/v1/jobs`, { headers: authorization ? { authorization } : {} })
    expect(reply.status).toBe(401)
    expect(await reply.json()).toMatchObject({ code: 'AUTH_REQUIRED' })
  })
})
