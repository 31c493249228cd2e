import { setTimeout as sleep } from 'node:timers/promises'
import type { JobDetail } from '../../services/jobs/types.ts'
import { type Ledger, startLedger } from '../support/ledger.ts'
import { waitUntil } from '../support/process.ts'
import { answer, pathway, startRun } from '../support/runs.ts'
import { type Stack, startStack, type TestWorkspace } from '../support/stack.ts'
import { type Mix, mixedPathways } from './mixed-runs.ts'

const RUNS = 30
const KILLS = 6
const PATIENCE_MS = 120_000

let stack: Stack
let ledger: Ledger
let home: TestWorkspace

beforeAll(async () => {
  ;[stack, ledger] = await Promise.all([startStack(), startLedger()])
  home = await stack.workspace({ actor: 'user:ann' })
})
afterAll(async () => {
  if (process.env.SHOW_LOGS) (await import('node:fs')).writeFileSync(process.env.SHOW_LOGS, stack.api.output() + stack.worker.output())
  await stack?.stop()
  await ledger?.close()
})

async function killWorker(): Promise<void> {
  await stack.worker.end('SIGKILL')
  await stack.restartWorker()
}

async function detail(jobId: string): Promise<JobDetail> {
  const { status, body } = await home.client.get<JobDetail>(`/v1/jobs/${jobId}`)
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
    PATIENCE_MS,
    () => `lost: ${JSON.stringify(last)}`,
  )
}

/** Answers what the run asks, and again as long as there is nobody to take the answer. */
async function approve(jobId: string): Promise<void> {
  const asked = await waitUntil(async () => [(await detail(jobId)).waitingFor ?? []].flat()[0], PATIENCE_MS)
  const taken = async () => {
    const { status } = await answer(home.client, home.id, jobId, asked.interventionId, { action: 'approve' })
    expect([200, 503]).toContain(status)
    return status === 200
  }
  await waitUntil(taken, PATIENCE_MS)
}

/** The keys under which effects happened, each as often as it did. */
const effectsOf = (jobId: string) =>
  ledger.effects.flatMap(({ key }) => (key?.startsWith(`${jobId}:`) ? [key.slice(jobId.length + 1)] : [])).sort()

test(`${RUNS} runs outlive a worker that is killed ${KILLS} times, and every effect happens once`, async () => {
  const mixes = Object.values(mixedPathways(ledger.url))
  const started = await Promise.all(
    Array.from({ length: RUNS }, async (_, i) => {
      const mix = mixes[i % mixes.length] as Mix
      return { mix, jobId: await startRun(home.client, mix.definition) }
    }),
  )
  const human = mixedPathways(ledger.url).human.definition
  const people = started.filter(({ mix }) => JSON.stringify(mix.definition) === JSON.stringify(human))
  const answers = Promise.all(people.map(({ jobId }) => approve(jobId)))
  for (let kill = 0; kill < KILLS; kill++) {
    await sleep(300 + Math.random() * 2_000)
    await killWorker()
  }
  await answers
  for (const { mix, jobId } of started) {
    const job = await ended(jobId)
    expect(job).toMatchObject({ status: 'completed', result: mix.result })
    expect(job.nodes.filter(({ status }) => status !== 'completed' && status !== 'skipped')).toEqual([])
    expect(effectsOf(jobId)).toEqual(mix.effects.toSorted())
  }
  expect(ledger.duplicates()).toEqual([])
  expect(ledger.requests.some(request => request.aborted_at !== undefined)).toBe(true)
  const { body } = await home.client.get<{ total: number }>('/v1/jobs?status=completed&limit=1')
  expect(body.total).toBe(RUNS)
}, 240_000)

test('a worker killed while runs are being cancelled: what was done is undone once', async () => {
  const post = (id: string, query: string, more: object = {}) => ({
    id,
    type: 'http',
    with: { method: 'POST', url: `${ledger.url}/${id}?${query}`, json: { run: '${run.id}', node: id } },
    ...more,
  })
  const definition = pathway(
    [post('book', '', { compensate: 'unbook' }), post('pay', 'hang=true'), post('unbook', 'delay_ms=1000')],
    'book > pay',
  )
  const jobIds = await Promise.all(Array.from({ length: 4 }, () => startRun(home.client, definition)))
  const requested = (jobId: string, path: string) =>
    ledger.requests.some(request => request.path === path && request.body.includes(jobId))
  await waitUntil(() => jobIds.every(jobId => requested(jobId, '/pay')))
  const cancels = jobIds.map(jobId => home.client.post(`/v1/jobs/${jobId}/cancel`))
  await sleep(Math.random() * 300)
  await killWorker()
  await waitUntil(() => jobIds.some(jobId => requested(jobId, '/unbook')), PATIENCE_MS)
  await killWorker()
  for (const { status } of await Promise.all(cancels)) expect(status).toBe(200)
  for (const jobId of jobIds) {
    expect(await ended(jobId)).toMatchObject({
      status: 'failed',
      failedReason: 'cancelled by user:ann',
      receipt: [
        { node_id: 'pay', key: 'pay', outcome: 'in_doubt' },
        { node_id: 'book', key: 'book', outcome: 'compensated' },
      ],
    })
    expect(effectsOf(jobId)).toEqual(['book', 'pay', 'unbook'])
  }
  expect(ledger.duplicates()).toEqual([])
}, 120_000)
