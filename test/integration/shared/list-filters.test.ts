import type { InterventionView } from '../../../contract/people/intervention.ts'
import type { JobView } from '../../../contract/runs/job.ts'
import type { ApiClient } from '../../support/clients/client.ts'
import { answer, asked, jobWith, pathway, startRun } from '../../support/runs/runs.ts'
import { useStack } from '../../support/stack/use-stack.ts'

const context = useStack()

interface Jobs {
  total: number
  jobs: { job_id: string }[]
}

test('lists of jobs accept both the id and the slug of a resource', async () => {
  const { client, slug: workspace } = context.workspace
  const create = async (kind: string, body: object) => {
    const { status, body: made } = await client.post<{ id: string; slug: string }>(`/v1/${kind}`, body)
    expect(status).toBe(201)
    return made
  }
  const definition = pathway([{ id: 'done', type: 'end', output: '1' }])
  const named = {
    pathway_id: await create('pathways', { title: 'Named pathway', definition }),
    neuron_id: await create('neurons', { title: 'Named neuron', model: 'none:none' }),
    receptor_id: await create('receptors', {
      title: 'Named receptor',
      target: { type: 'pathway', ref: 'named-pathway' },
    }),
  }
  const start = async (path: string, body: object) => (await client.post<{ job_id: string }>(path, body)).body.job_id
  const message = { message: 'Hello', stream: true }
  const run = await start('/v1/jobs', { pathway_id: 'named-pathway' })
  const answered = await start('/v1/neurons/named-neuron/invoke', message)
  const received = await start(`/v1/receptors/${workspace}/named-receptor/invoke`, message)

  const expected = { pathway_id: [received, run], neuron_id: [answered], receptor_id: [received] }
  for (const [filter, { id, slug }] of Object.entries(named)) {
    for (const name of [id, id.toUpperCase(), slug]) {
      const { body } = await client.get<Jobs>(`/v1/jobs?${filter}=${name}`)
      expect({ filter, name, jobs: body.jobs.map(({ job_id }) => job_id), total: body.total }).toEqual({
        filter,
        name,
        jobs: expected[filter as keyof typeof expected],
        total: expected[filter as keyof typeof expected].length,
      })
    }
    expect((await client.get<Jobs>(`/v1/jobs?${filter}=nobody`)).body.total).toBe(0)
  }
})

test('a list of recollections accepts both the id and the slug of its neuron', async () => {
  const { client } = context.workspace
  const { body: neuron } = await client.post<{ id: string; slug: string }>('/v1/neurons', { title: 'Keeper of notes' })
  await client.post('/v1/recollections', { neuron: neuron.slug, text: 'The key is under the mat.' })
  for (const name of [neuron.id, neuron.slug])
    expect((await client.get<{ data: object[] }>(`/v1/recollections?neuron=${name}`)).body.data).toHaveLength(1)
})

describe('a list of jobs is filtered by', () => {
  const failing = pathway(
    [
      {
        id: 'each',
        type: 'map',
        items: [1],
        body: { nodes: [{ id: 'part', type: 'transform', with: { value: '${input.gone}' } }], edges: [] },
      },
      { id: 'done', type: 'end' },
    ],
    'each > done',
  )
  const find = async (query: string) => {
    const { status, body } = await context.workspace.client.get<{ jobs: JobView[] }>(`/v1/jobs?${query}`)
    expect(status).toBe(200)
    return body.jobs
  }
  const ids = async (query: string) => (await find(query)).map(({ job_id }) => job_id)

  test('the error code, and contains the failed node', async () => {
    const jobId = await startRun(context.workspace.client, failing)
    const { error, failedReason } = await jobWith(context.workspace.client, jobId, 'failed')
    expect(error).toEqual({ code: 'EXPRESSION_FAILED', message: failedReason, node_key: 'each[0]/part' })
    expect(await find('error_code=EXPRESSION_FAILED')).toMatchObject([{ job_id: jobId, error }])
    expect(await ids('error_code=TIMEOUT')).toEqual([])
  })

  test('whether another run started them', async () => {
    const { client } = context.workspace
    const end = [{ id: 'done', type: 'end' }]
    await client.post('/v1/pathways', { title: 'Started below', definition: pathway(end) })
    const above = await context.workspace.as('user:above.lists')
    const jobId = await startRun(above, pathway([{ id: 'child', type: 'pathway', ref: 'started-below' }]))
    const { nodes } = await jobWith(above, jobId)
    expect(await ids('requester=user:above.lists')).toEqual([nodes[0]?.child_job_id, jobId])
    expect(await ids('requester=user:above.lists&child_runs=true')).toHaveLength(2)
    expect(await ids('requester=user:above.lists&child_runs=false')).toEqual([jobId])
  })

  test('several statuses, requester, part of the title and time', async () => {
    const ann = await context.workspace.as('user:ann.lists')
    const begun = new Date().toISOString()
    const jobId = await startRun(ann, pathway([{ id: 'done', type: 'end' }]))
    await jobWith(ann, jobId)
    expect(await ids('requester=user:ann.lists&status=failed,completed')).toEqual([jobId])
    expect(await ids('requester=user:ann.lists&status=failed,running')).toEqual([])
    expect(await ids(`requester=user:ann.lists&title=LINE%20PATH&created_after=${begun}`)).toEqual([jobId])
    expect(await ids('requester=user:ann.lists&title=%25')).toEqual([])
    expect(await ids(`requester=user:ann.lists&created_before=${begun}`)).toEqual([])
    const { status, body } = await context.workspace.client.get('/v1/jobs?status=done,failed&created_after=today')
    expect({ status, body }).toMatchObject({ status: 400, body: { code: 'VALIDATION_ERROR' } })
  })

  test('a text in the title or the input, and can be sorted and counted', async () => {
    const hal = await context.workspace.as('user:hal.lists')
    const definition = pathway([{ id: 'done', type: 'end', output: '${input.who}' }])
    const titled = { ...definition, run_title: 'For Zanzibar' }
    const first = await startRun(hal, definition, { who: 'Madagascar' })
    const second = await startRun(hal, titled, { who: 'Borneo' })
    await Promise.all([first, second].map(jobId => jobWith(hal, jobId)))
    expect(await ids('requester=user:hal.lists&trace_id=none')).toEqual([])
    expect(await ids('requester=user:hal.lists&text=madagas')).toEqual([first])
    expect(await ids('requester=user:hal.lists&text=ZANZI')).toEqual([second])
    expect(await ids('requester=user:hal.lists&sort=oldest')).toEqual([first, second])
    expect(await ids('requester=user:hal.lists&sort=longest')).toHaveLength(2)
    expect(await ids('requester=user:hal.lists&sort=costliest')).toHaveLength(2)
    const { body } = await hal.get('/v1/jobs/counts?requester=user:hal.lists&kind=pathway')
    const none = { pending: 0, running: 0, waiting: 0, paused: 0, failed: 0 }
    const by_outcome = { completed: 2, failed: 0, cancelled: 0 }
    expect(body).toEqual({ total: 2, by_status: { ...none, completed: 2 }, by_outcome })
  })
})

test('interventions can be sorted by due time, filtered by kind, assignees and pathway, and counted', async () => {
  const ask = (id: string, more: object) => ({ id, type: 'human', kind: 'approval', ...more })
  const definition = pathway(
    [
      ask('later', { due: 'PT2H', assignees: ['user:fay.lists', 'group:lists'] }),
      ask('sooner', { due: 'PT1H', assignees: ['group:lists'] }),
      { id: 'form', type: 'human', kind: 'form', form: { type: 'object' }, assignees: ['user:gus.lists'] },
      { id: 'done', type: 'end' },
    ],
    'later.approve > done',
    'later.reject > done',
    'later.timeout > done',
    'sooner.approve > done',
    'sooner.reject > done',
    'sooner.timeout > done',
    'form.submit_input > done',
  )
  await context.workspace.client.post('/v1/pathways', { title: 'Asks for lists', definition })
  const fay = await context.workspace.as('user:fay.lists', ['group:lists'])
  const { body } = await fay.post<{ job_id: string }>('/v1/pathways/asks-for-lists/execute', {})
  await asked(fay, body.job_id)
  const find = async (query: string) => {
    const found = await fay.get<{ data: InterventionView[] }>(`/v1/interventions?job_id=${body.job_id}&${query}`)
    return found.body.data.map(({ node_id }) => node_id)
  }
  expect(await find('sort=due')).toEqual(['sooner', 'later', 'form'])
  expect(await find('kind=form')).toEqual(['form'])
  expect((await find('assignee=user:fay.lists,user:gus.lists')).toSorted()).toEqual(['form', 'later'])
  expect(await find('pathway_id=asks-for-lists&status=open,decided')).toHaveLength(3)
  expect(await find('pathway_id=nothing')).toEqual([])
  const counts = await fay.get<{ open: number; mine: number; groups: number }>('/v1/interventions/counts')
  expect(counts.body).toEqual({ open: expect.any(Number), mine: 2, groups: 2 })
  expect(counts.body.open).toBeGreaterThanOrEqual(3)
  const { body: listed } = await fay.get<{ data: InterventionView[] }>(
    '/v1/interventions?kind=form&pathway_id=asks-for-lists',
  )
  expect(listed.data[0]?.root_job).toMatchObject({ pathway_title: 'Asks for lists' })
  await fay.post(`/v1/jobs/${body.job_id}/cancel`)
})

test("a person's inbox lists the interventions that the person may answer, with the runs that contain them", async () => {
  const human = (id: string, more: object) => [
    { id, type: 'human', kind: 'approval', ...more },
    { id: `${id}-yes`, type: 'end' },
    { id: `${id}-no`, type: 'end' },
  ]
  const ways = (id: string) => [`${id}.approve > ${id}-yes`, `${id}.reject > ${id}-no`]
  const asks = {
    bob: { assignees: ['user:bob', 'user:eve'], quorum: 2 },
    board: { assignees: ['group:board'] },
    all: {},
    others: { exclude_requester: true },
  }
  const nodes = Object.entries(asks).flatMap(([id, more]) => human(id, more))
  const [bob, eve, cara] = await Promise.all([
    context.workspace.as('user:bob'),
    context.workspace.as('user:eve', ['group:board']),
    context.workspace.as('user:cara'),
  ])
  const jobId = await startRun(cara, pathway(nodes, ...Object.keys(asks).flatMap(ways)))
  const inbox = async (client: ApiClient) => {
    const { body } = await client.get<{ data: InterventionView[] }>(`/v1/interventions?mine=true&job_id=${jobId}`)
    return body.data.map(({ node_id }) => node_id).toSorted()
  }
  const open = await asked(cara, jobId)
  expect(open).toHaveLength(4)
  expect(await Promise.all([bob, eve, cara].map(inbox))).toEqual([
    ['all', 'bob', 'others'],
    ['all', 'board', 'bob', 'others'],
    ['all'],
  ])
  const { interventionId = '' } = open.find(({ node_id }) => node_id === 'bob') ?? {}
  await answer(bob, context.workspace.id, jobId, interventionId, { action: 'approve' })
  expect(await inbox(bob)).toEqual(['all', 'others'])
  const { body } = await bob.get<InterventionView>(`/v1/interventions/${interventionId}`)
  expect(body.root_job).toEqual({ title: 'Inline pathway', requester: 'user:cara', kind: 'pathway' })
  expect(body.refusal).toMatch(/^user:bob already answered approve at /)
  const others = await cara.get<{ data: InterventionView[] }>(`/v1/interventions?job_id=${jobId}`)
  expect(Object.fromEntries(others.body.data.map(({ node_id, refusal }) => [node_id, refusal]))).toEqual({
    bob: 'user:cara is not an assignee: user:bob, user:eve',
    board: 'user:cara is not an assignee: group:board',
    all: undefined,
    others: 'user:cara is one of the people behind this run and may not decide here',
  })
  await cara.post(`/v1/jobs/${jobId}/cancel`)
})

/** Postgres accepts no offsets of 16 hours or more, and no year 0. */
test.each(['0184-10-02T20:54:42.2+22:42', '0000-01-01T00:00:00Z', '9999-12-31T23:59:59-23:59'])(
  'a request accepts any ISO 8601 time, for example %s',
  async time => {
    const { client } = context.workspace
    const at = encodeURIComponent(time)
    const answers = await Promise.all([
      client.get(`/v1/jobs?created_after=${at}`),
      client.get(`/v1/jobs?created_before=${at}`),
      client.get(`/v1/activity?from=${at}&to=9999-12-31T23:59:59Z`),
      client.post('/v1/search', { query: 'anything', mode: 'keyword', filters: { created_after: time } }),
      client.post('/v1/meetings', { title: `At ${time}`, starts_at: time }),
      client.call('PUT', '/v1/absence', { substitute: 'user:bob', starts_at: '0001-01-01T00:00:00Z', ends_at: time }),
      client.post('/v1/jobs/bulk', { operation: 'pause', dry_run: true, filter: { created_after: time } }),
    ])
    const refused = answers.filter(({ status }) => status >= 400).map(({ body }) => body)
    expect(refused.filter(({ code }) => code !== 'VALIDATION_ERROR')).toEqual([])
    expect(answers.slice(0, 5).map(({ status }) => status)).toEqual([200, 200, 200, 200, 201])
  },
)
