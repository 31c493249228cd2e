import { randomUUID } from 'node:crypto'
import type { JobDetail } from '../../../contract/runs/job.ts'
import { waitUntil } from '../../support/stack/process.ts'
import { answer, asked, edges, jobWith, pathway, startRun, readEvents } from '../../support/runs/runs.ts'
import { fetchEvents } from '../../support/runs/describe-run.ts'
import { useStack } from '../../support/stack/use-stack.ts'

const context = useStack()

const post = (id: string, path = id, more: object = {}) => ({
  id,
  type: 'http',
  with: { method: 'POST', url: `${context.ledger.url}/${path}` },
  ...more,
})
const end = (id: string, output?: unknown) => ({ id, type: 'end', ...(output !== undefined && { output }) })
const at = (path: string) => context.ledger.requests.filter(request => request.path === `/${path}`)
const run = async (definition: object, input?: unknown) =>
  jobWith(context.workspace.client, await startRun(context.workspace.client, definition, input))

describe('http', () => {
  test('is retried as configured, with the same idempotency key', async () => {
    const job = await run(
      pathway([post('flaky', 'flaky?fail=2', { retry: { max_attempts: 3, initial: 'PT0.1S', backoff: 1 } })]),
    )
    expect(job.status).toBe('completed')
    expect(new Set(at('flaky').map(request => request.key))).toEqual(new Set([`${job.job_id}:flaky`]))
    expect(at('flaky')).toHaveLength(3)
    expect(context.ledger.effects.filter(effect => effect.path === '/flaky')).toHaveLength(1)
  })

  test.each([
    ['regular', {}, { next_attempt_at: expect.any(String) }],
    ['local', { idempotent: true }, {}],
  ])('shows the last error while it is waiting for its next attempt: %s', async (id, more, next) => {
    const { client } = context.workspace
    const node = post(id, `${id}?fail=9`, { retry: { max_attempts: 3, initial: 'PT1H' }, ...more })
    const jobId = await startRun(client, pathway([node]))
    const read = async () => (await client.get<JobDetail>(`/v1/jobs/${jobId}`)).body.nodes[0]
    await waitUntil(async () => {
      const node = await read()
      return node?.last_error !== undefined && (id === 'local' || node.next_attempt_at !== undefined)
    })
    expect(await read()).toMatchObject({ status: 'running', attempt: 1, last_error: { code: 'HTTP_503' }, ...next })
    await client.post(`/v1/jobs/${jobId}/cancel`)
    expect(await read()).not.toHaveProperty('last_error')
  })

  test('counts all of its attempts', async () => {
    const retry = { max_attempts: 3, initial: 'PT0.1S', backoff: 1 }
    // A local attempt that exceeds its limit on a busy machine is not counted.
    await waitUntil(async () => {
      const job = await run(pathway([post('counted', `${randomUUID()}?fail=2`, { retry, idempotent: true })]))
      expect(job.nodes).toMatchObject([{ status: 'completed' }])
      return job.nodes[0]?.attempt === 3
    })
  })

  test('continues along its error and timeout ports', async () => {
    const definition = pathway(
      [
        post('bad', 'bad?fail=99&status=404'),
        post('slow', 'slow?hang=true', { timeout: 'PT1S', retry: { max_attempts: 1 } }),
        end('e', '${nodes.bad.error.code}'),
        end('t', '${nodes.slow.error.code}'),
      ],
      'bad.error > e',
      'slow.timeout > t',
    )
    expect((await run(definition)).result).toEqual({ e: 'HTTP_404', t: 'TIMEOUT' })
  })

  test('adds its query to the URL, with each value encoded', async () => {
    const url = `${context.ledger.url}/asked?fixed=1`
    const query = { status: '${input.status}', sku: 'b&c d', tags: ['x', 'y'], none: null }
    const job = await run(pathway([{ id: 'get', type: 'http', with: { url, query } }]), { status: 418 })
    expect(job.error).toMatchObject({ code: 'HTTP_418', node_key: 'get' })
    expect(at('asked').map(request => request.search)).toEqual(['?fixed=1&status=418&sku=b%26c+d&tags=x&tags=y'])
  })

  test('an http node declared idempotent runs as a local activity', async () => {
    const get = { id: 'get', type: 'http', idempotent: true, with: { url: `${context.ledger.url}/local` } }
    const { job_id, result } = await run(pathway([get]))
    expect(result).toMatchObject({ status: 200 })
    expect((await fetchEvents(job_id)).filter(event => event.activityTaskScheduledEventAttributes)).toEqual([])
  })

  test('cannot reach private addresses that are not allowed', async () => {
    const job = await run(
      pathway([{ id: 'x', type: 'http', with: { url: 'http://169.254.169.254/latest/meta-data' } }]),
    )
    expect(job).toMatchObject({ status: 'failed', failedReason: expect.stringContaining('x: ') })
  })

  test('cannot reach the components of the stack, even if loopback is allowed', async () => {
    const { ELASTICSEARCH_URL, TEMPORAL_UI_URL, TEMPORAL_ADDRESS, REDIS_URL, BASE_URL } = context.stack.env
    // Temporal's production server has no UI.
    const bases = [ELASTICSEARCH_URL, TEMPORAL_UI_URL ?? [], `http://${TEMPORAL_ADDRESS}`, REDIS_URL, BASE_URL].flat()
    const urls = bases.flatMap(base => {
      const { port } = new URL(base ?? '')
      return ['127.0.0.1', 'localhost', '[::ffff:7f00:1]', '127.9.9.9', '0'].map(host => `http://${host}:${port}/`)
    })
    const nodes = urls.map((url, index) => ({ id: `n${index}`, type: 'http', with: { url } }))
    const ends = nodes.map(({ id }) => end(`${id}e`, `\${nodes.${id}.error.code}`))
    const job = await run(pathway([...nodes, ...ends], ...nodes.map(({ id }) => `${id}.error > ${id}e`)))
    expect(new Set(Object.values(job.result as object))).toEqual(new Set(['BLOCKED_ADDRESS']))
  })
})

test('an expression parses JSON bytes in a workflow', async () => {
  const value = `\${bytes('{"a":[1,2]}').json().a[1]}`
  expect(
    await run(
      pathway([{ id: 'read', type: 'transform', with: { value } }, end('z', '${nodes.read.output}')], 'read > z'),
    ),
  ).toMatchObject({
    status: 'completed',
    result: 2,
  })
})

describe('map and loop', () => {
  test('a map runs its body once per item with limited concurrency and preserves the order', async () => {
    const body = {
      nodes: [post('each', 'each/${item}?delay_ms=50'), end('out', '${item * 2}')],
      edges: edges('each > out'),
    }
    const items = Array.from({ length: 12 }, (_, i) => i)
    const job = await run(pathway([{ id: 'all', type: 'map', items: '${input}', concurrency: 4, body }]), items)
    expect(job.result).toEqual(items.map(item => item * 2))
    expect(context.ledger.effects.filter(effect => effect.path.startsWith('/each/'))).toHaveLength(12)
  })

  test('a person revises a draft in a loop until it is approved', async () => {
    const body = {
      nodes: [
        { id: 'draft', type: 'transform', with: { value: 'draft ${iteration}' } },
        { id: 'ok', type: 'human', kind: 'approval', title: '${nodes.draft.output}' },
        end('yes', { done: true, text: '${nodes.draft.output}' }),
        end('no', { done: false }),
      ],
      edges: edges('draft > ok', 'ok.approve > yes', 'ok.reject > no'),
    }
    const jobId = await startRun(
      context.workspace.client,
      pathway([{ id: 'revise', type: 'loop', until: 'last.done', max: 5, body }]),
    )
    for (const [turn, action] of [
      [1, 'reject'],
      [2, 'reject'],
      [3, 'approve'],
    ] as const) {
      const question = await waitUntil(async () =>
        (await asked(context.workspace.client, jobId)).find(({ title }) => title === `draft ${turn}`),
      )
      await answer(context.workspace.client, context.workspace.id, jobId, question.interventionId, { action })
    }
    expect((await jobWith(context.workspace.client, jobId)).result).toEqual({ done: true, text: 'draft 3' })
  })
})

describe('subflows', () => {
  async function store(slug: string, definition: object): Promise<string> {
    const { status, body } = await context.workspace.client.post<{ id: string }>('/v1/pathways', {
      title: slug,
      slug,
      definition,
    })
    expect(status).toBe(201)
    return body.id
  }

  test('a child run is a separate job, and its question can be answered at either job', async () => {
    await store('ask-first', {
      ...pathway(
        [{ id: 'ask', type: 'human', kind: 'approval', title: 'Child?' }, end('y', '${input.n + 1}'), end('n', 0)],
        'ask.approve > y',
        'ask.reject > n',
      ),
      input: { type: 'object', required: ['n'] },
    })
    const parent = pathway(
      [{ id: 'sub', type: 'pathway', ref: 'ask-first', with: { n: 41 } }, end('z', { got: '${nodes.sub.output}' })],
      'sub > z',
    )
    const jobId = await startRun(context.workspace.client, parent)
    const [question] = await asked(context.workspace.client, jobId)
    expect(question).toMatchObject({ title: 'Child?', job_id: expect.stringMatching(/^ask-first-/) })
    expect(
      (
        await answer(context.workspace.client, context.workspace.id, jobId, question?.interventionId ?? '', {
          action: 'approve',
        })
      ).status,
    ).toBe(200)
    expect((await jobWith(context.workspace.client, jobId)).result).toEqual({ got: 42 })
    const child = await jobWith(context.workspace.client, question?.job_id ?? '')
    expect(child).toMatchObject({ status: 'completed', result: 42, root_job_id: jobId })
  })

  test('the stream of the parent run contains the events of its child runs at any depth', async () => {
    const approval = { id: 'ask', type: 'human', kind: 'approval', title: 'Inner?' }
    await store('inner', pathway([approval, end('y', 1), end('n', 0)], 'ask.approve > y', 'ask.reject > n'))
    await store('outer', pathway([{ id: 'deeper', type: 'pathway', ref: 'inner', with: {} }]))
    const { client, id } = context.workspace
    const jobId = await startRun(client, pathway([{ id: 'sub', type: 'pathway', ref: 'outer', with: {} }]))
    const [question] = await asked(client, jobId)
    await answer(client, id, jobId, question?.interventionId ?? '', { action: 'approve' })
    const [node] = (await jobWith(client, jobId)).nodes
    expect(node).toMatchObject({ key: 'sub', child_job_id: expect.stringMatching(/^outer-/) })
    const middle = await jobWith(client, node?.child_job_id ?? '')
    expect(middle.nodes).toMatchObject([{ key: 'deeper', child_job_id: question?.job_id }])
    const events = (await readEvents(client, jobId)).map(({ data }) => data)
    const inner = { job_id: question?.job_id, key: 'sub/deeper/ask' }
    expect(events).toMatchObject(
      expect.arrayContaining([
        expect.objectContaining({ type: 'intervention', change: 'opened', ...inner }),
        expect.objectContaining({ type: 'intervention', change: 'answered', action: 'approve', ...inner }),
        expect.objectContaining({ type: 'node', status: 'completed', ...inner }),
        expect.objectContaining({ type: 'node', status: 'completed', key: 'sub/deeper', job_id: middle.job_id }),
        expect.objectContaining({ type: 'node', status: 'completed', key: 'sub' }),
      ]),
    )
    expect(events.filter(({ type }) => type === 'complete' || type === 'error')).toHaveLength(1)
    expect(events.at(-1)).toMatchObject({ type: 'complete' })
  })

  test('an invalid input fails the node, and a cancel reaches the child run', async () => {
    const wrong = await run(
      pathway(
        [{ id: 'sub', type: 'pathway', ref: 'ask-first', with: {} }, end('e', '${nodes.sub.error.code}')],
        'sub.error > e',
      ),
    )
    expect(wrong.result).toBe('INVALID_INPUT')
    const jobId = await startRun(
      context.workspace.client,
      pathway([{ id: 'sub', type: 'pathway', ref: 'ask-first', with: { n: 1 } }]),
    )
    const [question] = await asked(context.workspace.client, jobId)
    await context.workspace.client.post(`/v1/jobs/${jobId}/cancel`)
    expect((await jobWith(context.workspace.client, question?.job_id ?? '')).failedReason).toContain('cancelled by')
  })

  test('a child run gets the defaults for its input and its own title', async () => {
    const schema = { type: 'object', properties: { company: { type: 'string', default: 'Toro' } } }
    await store('named-child', {
      ...pathway([end('z', '${input.company}')]),
      input: schema,
      run_title: 'Onboard ${input.company}',
    })
    const parent = await run(
      pathway([{ id: 'sub', type: 'pathway', ref: 'named-child' }, end('z', '${nodes.sub.output}')], 'sub > z'),
    )
    expect(parent.result).toBe('Toro')
    const { body } = await context.workspace.client.get<{ jobs: object[] }>('/v1/jobs?title=onboard%20toro')
    expect(body.jobs).toMatchObject([{ parent_job_id: parent.job_id, title: 'Onboard Toro' }])
  })

  test('when a child run times out, its completed steps are compensated, and the parent run continues', async () => {
    await store(
      'slow-child',
      pathway(
        [
          post('book', 't-book', { compensate: 'unbook' }),
          { id: 'w', type: 'wait', duration: 'P1D' },
          post('unbook', 't-unbook'),
        ],
        'book > w',
      ),
    )
    const parent = pathway(
      [{ id: 'sub', type: 'pathway', ref: 'slow-child', timeout: 'PT2S' }, end('late', '${nodes.sub.error.code}')],
      'sub.timeout > late',
    )
    expect((await run(parent)).result).toBe('TIMEOUT')
    expect(at('t-unbook')).toHaveLength(1)
  })

  test('a run keeps the version with which it started', async () => {
    const id = await store('versioned', pathway([{ id: 'w', type: 'wait', event: 'go' }, end('z', 'one')], 'w > z'))
    const first = await context.workspace.client.post<{ job_id: string }>(`/v1/pathways/${id}/execute`, {})
    await jobWith(context.workspace.client, first.body.job_id, 'waiting')
    await context.workspace.client.patch(`/v1/pathways/${id}`, {
      definition: pathway([{ id: 'w', type: 'wait', event: 'go' }, end('z', 'two')], 'w > z'),
    })
    const second = await context.workspace.client.post<{ job_id: string }>(`/v1/pathways/${id}/execute`, {})
    for (const job of [first, second])
      await context.workspace.client.post(`/v1/jobs/${job.body.job_id}/resume`, { event: 'go' })
    expect(await jobWith(context.workspace.client, first.body.job_id)).toMatchObject({
      result: 'one',
      pathway_version: 1,
    })
    expect(await jobWith(context.workspace.client, second.body.job_id)).toMatchObject({
      result: 'two',
      pathway_version: 2,
    })
  })
})

describe('waits', () => {
  test('for a duration, until a time, and for an event that never arrives', async () => {
    const definition = pathway(
      [
        { id: 'a', type: 'wait', duration: 'PT1S' },
        { id: 'b', type: 'wait', until: '${input.until}' },
        { id: 'c', type: 'wait', event: 'never', timeout: 'PT1S' },
        end('z', 'gave up'),
      ],
      'a > b',
      'b > c',
      'c.timeout > z',
    )
    expect((await run(definition, { until: new Date(Date.now() + 1_500).toISOString() })).result).toBe('gave up')
  })
})
