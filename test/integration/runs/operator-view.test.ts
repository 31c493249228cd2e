import { ingest } from '../../support/documents/documents.ts'
import { listRuns, readCurrentDetails, readHistory, readStaticDetails } from '../../support/runs/operator-view.ts'
import { waitUntil } from '../../support/stack/process.ts'
import { replayRuns } from '../../support/runs/replay.ts'
import { answer, asked, jobWith, pathway, startRun } from '../../support/runs/runs.ts'
import { useStack } from '../../support/stack/use-stack.ts'

const context = useStack()

const call = (id: string, query = '', more: object = {}) => ({
  id,
  type: 'http',
  with: { method: 'POST', url: `${context.ledger.url}/${id}?${query}`, json: {} },
  ...more,
})

/** Waits until the list of runs contains the job. */
const listed = (query: string, jobId: string) =>
  waitUntil(
    async () => (await listRuns(query)).includes(jobId),
    undefined,
    () => `not found by ${query}`,
  )

describe('a run that is waiting for two groups of people', () => {
  let jobId: string
  beforeAll(async () => {
    const definition = pathway(
      [
        { id: 'each', type: 'map', items: [1, 2, 3], body: { nodes: [call('price')], edges: [] } },
        call('credit'),
        { id: 'all', type: 'join', mode: 'all' },
        {
          id: 'review',
          type: 'human',
          kind: 'approval',
          title: 'Onboard ${input.company}?',
          assignees: ['group:procurement', 'user:bob', 'user:cara'],
          quorum: 2,
          due: 'P2D',
        },
        call('book'),
        { id: 'late', type: 'end' },
      ],
      'each > all',
      'credit > all',
      'all > review',
      'review.approve > book',
      'review.reject > late',
      'review.timeout > late',
    )
    jobId = await startRun(
      context.workspace.client,
      { ...definition, run_title: 'Onboard ${input.company}' },
      { company: 'Toro Papier' },
    )
    await asked(context.workspace.client, jobId)
  })

  test('is found by each of its assignees, its requester, a word in its title and its workspace', async () => {
    const { slug } = context.workspace
    const queries = [
      `GanglionStatus = 'waiting' AND GanglionWaitingOn = 'group:procurement'`,
      `GanglionWaitingOn = 'user:bob'`,
      `GanglionWorkspace = '${slug}' AND GanglionRequester = 'user:ann' AND GanglionTitle = 'Toro'`,
      `GanglionWorkspace = '${slug}' AND GanglionKind = 'pathway' AND GanglionDueAt IS NOT NULL`,
    ]
    for (const query of queries) await listed(query, jobId)
    expect(await listRuns(`GanglionWorkspace = '${slug}' AND GanglionWaitingOn = 'review'`)).toEqual([])
  })

  test('contains its title in its id', () => {
    expect(jobId).toMatch(/^inline-onboard-[0-9a-f-]{36}$/)
  })

  test('shows its assignees, the number of approvals, and the deciders', async () => {
    expect(await readCurrentDetails(jobId)).toMatch(
      /^\*\*waiting\*\*\n\nWaiting for \*\*group:procurement, user:bob, user:cara\*\* at `review`: Onboard Toro Papier\? \(0 of 2 approvals, due /,
    )
    const [open] = await asked(context.workspace.client, jobId)
    const approve = async (actor: string) =>
      answer(await context.workspace.as(actor), context.workspace.id, jobId, open?.interventionId ?? '', {
        action: 'approve',
      })
    await approve('user:bob')
    expect(await readCurrentDetails(jobId)).toContain('1 of 2 approvals')
    await approve('user:cara')
    await jobWith(context.workspace.client, jobId)
    const details = await readCurrentDetails(jobId)
    expect(details).toContain('`review` *human* | completed, → approve by user:cara |')
    expect(details).toContain('`each` *map* | completed, 3 of 3 done |')
    expect(details).not.toContain('each[')
  })

  test('has activities whose ids are node keys, and rows with the names of people who answered', async () => {
    const { activityIds, summaries, updateIds } = await readHistory(jobId)
    expect(activityIds.toSorted()).toEqual(['book', 'credit', 'each[0]/price', 'each[1]/price', 'each[2]/price'])
    expect(summaries).toContain('approve by user:bob • review')
    expect(summaries.some(summary => summary.startsWith('book, approve by user:cara • review'))).toBe(true)
    expect(updateIds.map(id => id.replace(/ [0-9a-f]{64}$/, ''))).toEqual([
      'approve by user:bob',
      'approve by user:cara',
    ])
    expect(await replayRuns([jobId])).toEqual([])
  })

  test('stores its input first, and the definition last', async () => {
    const { input } = await readHistory(jobId)
    const fields = Object.keys(input as object)
    expect(fields.slice(0, 3)).toEqual(['input', 'pathway', 'requester'])
    expect(fields.at(-1)).toBe('definition')
    expect(input).toMatchObject({ input: { company: 'Toro Papier' }, pathway: { title: 'Onboard Toro Papier' } })
  })
})

test('a failed run shows the reason first, then the failed node and the receipt', async () => {
  const reserve = call('reserve', '', { compensate: 'release' })
  const definition = pathway(
    [reserve, call('release'), call('credit', 'status=422'), { id: 'end', type: 'end' }],
    'reserve > credit',
    'credit > end',
  )
  const jobId = await startRun(context.workspace.client, definition)
  await jobWith(context.workspace.client, jobId)
  const lines = (await readCurrentDetails(jobId)).split('\n')
  expect(lines[0]).toMatch(/^\*\*failed\*\* at `credit`: `HTTP_422` .*returned 422/)
  expect(lines[2]).toBe('Receipt: compensated `reserve`')
  expect(lines.find(line => line.startsWith('| ✖'))).toBe(lines[6])
})

test('a retried call shows its last failure', async () => {
  const slow = call('slow', 'fail=1&delay_ms=50', { idempotent: true, retry: { initial: 'PT30S', max: 'PT30S' } })
  const jobId = await startRun(context.workspace.client, pathway([slow]))
  await waitUntil(async () => (await readCurrentDetails(jobId)).includes('running, attempt 2 after `HTTP_503`'))
  await context.workspace.client.post(`/v1/jobs/${jobId}/cancel`)
  await jobWith(context.workspace.client, jobId)
})

test('a search job differs from a pathway run in its kind and title', async () => {
  const { client, slug } = context.workspace
  const { body } = await client.get<{ job_id: string }>('/v1/search?query=nothing')
  await listed(`GanglionWorkspace = '${slug}' AND GanglionKind = 'search' AND GanglionTitle = 'nothing'`, body.job_id)
})

test('activities without a node use their type as the id, with a number from the second one on', async () => {
  const { client } = context.workspace
  const { body } = await ingest(client, { text: 'Not for long.' })
  const purge = await client.del<{ job_id: string }>(`/v1/resources/assets/${body.asset.id}?purge=true`)
  await jobWith(client, purge.body.job_id)
  const { activityIds } = await readHistory(purge.body.job_id)
  expect(activityIds.length).toBeGreaterThan(1)
  expect(activityIds).toEqual(activityIds.map((_, i) => (i === 0 ? 'purgeBatch' : `purgeBatch#${i + 1}`)))
})

test('a run and its child runs link to their pages in the console', async () => {
  const { client } = context.workspace
  await client.post('/v1/pathways', { slug: 'inner', title: 'Inner', definition: pathway([{ id: 'z', type: 'end' }]) })
  const calling = pathway([{ id: 'call', type: 'pathway', ref: 'inner' }])
  const jobId = await startRun(client, calling)
  await jobWith(client, jobId)
  const { body } = await client.get<{ jobs: { job_id: string; root_job_id: string }[] }>('/v1/jobs')
  const ids = body.jobs.filter(({ root_job_id }) => root_job_id === jobId).map(({ job_id }) => job_id)
  expect(ids).toHaveLength(2)
  for (const id of ids)
    expect(await readStaticDetails(id)).toContain(`[Open in the console](${context.stack.baseUrl}/console/runs/${id})`)
  expect(await replayRuns(ids)).toEqual([])
})
