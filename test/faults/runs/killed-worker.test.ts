import { setTimeout as sleep } from 'node:timers/promises'
import type { InterventionView } from '../../../contract/people/intervention.ts'
import type { JobDetail } from '../../../contract/runs/job.ts'
import type { LedgerRequest } from '../../support/shared/ledger.ts'
import { waitUntil } from '../../support/stack/process.ts'
import { answer, readEvents, pathway, startRun } from '../../support/runs/runs.ts'
import { listEffects, post, listRequests } from '../support/effects.ts'
import { useFaultContext } from '../support/fault-context.ts'
import { randomDelay } from '../support/random-delay.ts'
import { type Mix, mixedPathways } from '../support/mixed-runs.ts'

const KILLS = Number(process.env['WORKER_KILLS'] ?? 3)
const RUNS = 5 * KILLS
const ANSWER_EVERY_MS = 300

const context = useFaultContext()

const isUnanswered = ({ answered_at, aborted_at }: LedgerRequest): boolean =>
  answered_at === undefined && aborted_at === undefined

const isAborted = ({ aborted_at }: LedgerRequest): boolean => aborted_at !== undefined

async function detail(jobId: string): Promise<JobDetail> {
  const { status, body } = await context.workspace.client.get<JobDetail>(`/v1/jobs/${jobId}`)
  expect(status).toBe(200)
  return body
}

async function ended(jobId: string): Promise<JobDetail> {
  let last: JobDetail | undefined
  return waitUntil(
    async () => {
      last = await detail(jobId)
      return (last.status === 'completed' || last.status === 'failed') && last
    },
    undefined,
    () => `lost: ${JSON.stringify(last)}`,
  )
}

/** Returns the nodes whose end was recorded but never published to the stream. */
async function listUnpublishedEnds({ job_id, nodes }: JobDetail): Promise<string[]> {
  const events = await readEvents(context.workspace.client, job_id)
  const publishedEnds = new Set(
    events.flatMap(({ data }) => (data.type === 'node' ? [`${data.key} ${data.status}`] : [])),
  )
  return nodes.map(({ key, status }) => `${key} ${status}`).filter(end => !publishedEnds.has(end))
}

/** Approves each intervention until `over` aborts, and repeats the approval if no worker received it. */
async function approveAll(over: AbortSignal): Promise<void> {
  const { client, id } = context.workspace
  while (!over.aborted) {
    const { body } = await client.get<{ data: InterventionView[] }>('/v1/interventions?status=open')
    const replies = body.data.map(({ job_id, interventionId }) =>
      answer(client, id, job_id, interventionId, { action: 'approve' }),
    )
    for (const { status } of await Promise.all(replies)) expect([200, 202]).toContain(status)
    await sleep(ANSWER_EVERY_MS)
  }
}

test(`${RUNS} runs survive ${KILLS} worker kills, and every effect happens once`, async () => {
  const mixes = mixedPathways(context.ledger)
  const started = await Promise.all(
    Array.from({ length: RUNS }, async (_, i) => {
      const mix = mixes[i % mixes.length] as Mix
      return { mix, jobId: await startRun(context.workspace.client, mix.definition) }
    }),
  )
  const over = new AbortController()
  const person = approveAll(over.signal)
  // At least one kill must interrupt a request. The other kills may interrupt anything.
  while (!context.ledger.requests.some(isAborted)) {
    await waitUntil(() => context.ledger.requests.some(isUnanswered))
    await context.stack.killWorker()
  }
  for (let kill = 1; kill < KILLS; kill++) {
    await sleep(300 + randomDelay(2_000))
    await context.stack.killWorker()
  }
  for (const { mix, jobId } of started) {
    const job = await ended(jobId)
    expect(job).toMatchObject({ status: 'completed', result: mix.result })
    expect(job.nodes.filter(({ status }) => status !== 'completed' && status !== 'skipped')).toEqual([])
    expect(listEffects(context.ledger, jobId)).toEqual(mix.effects.toSorted())
    expect(await listUnpublishedEnds(job)).toEqual([])
  }
  over.abort()
  await person
  expect(context.ledger.duplicates()).toEqual([])
  const { body } = await context.workspace.client.get<{ total: number }>('/v1/jobs?status=completed&limit=1')
  expect(body.total).toBe(RUNS)
})

test('when the worker is killed during cancellations, completed nodes are compensated once', async () => {
  const definition = pathway(
    [
      post(context.ledger, 'book', '', { compensate: 'unbook' }),
      post(context.ledger, 'pay', '?hang=true'),
      post(context.ledger, 'unbook', '?delay_ms=1000'),
    ],
    'book > pay',
  )
  const jobIds = await Promise.all(Array.from({ length: 4 }, () => startRun(context.workspace.client, definition)))
  const requested = (jobId: string, path: string) => listRequests(context.ledger, jobId, path).length > 0
  await waitUntil(() => jobIds.every(jobId => requested(jobId, '/pay')))
  const cancels = jobIds.map(jobId => context.workspace.client.post(`/v1/jobs/${jobId}/cancel`))
  await sleep(randomDelay(300))
  await context.stack.killWorker()
  await waitUntil(() => jobIds.some(jobId => requested(jobId, '/unbook')))
  await context.stack.killWorker()
  for (const { status } of await Promise.all(cancels)) expect([200, 202]).toContain(status)
  for (const jobId of jobIds) {
    expect(await ended(jobId)).toMatchObject({
      status: 'failed',
      failedReason: 'cancelled by user:ann',
      receipt: [
        { node_id: 'pay', key: 'pay', outcome: 'in_doubt' },
        { node_id: 'book', key: 'book', outcome: 'compensated' },
      ],
    })
    expect(listEffects(context.ledger, jobId)).toEqual(['book', 'pay', 'unbook'])
  }
  expect(context.ledger.duplicates()).toEqual([])
})
