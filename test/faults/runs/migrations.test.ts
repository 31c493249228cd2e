import { setTimeout as sleep } from 'node:timers/promises'
import type { MigrationReport } from '../../../contract/runs/migration.ts'
import type { JobDetail } from '../../../contract/runs/job.ts'
import { waitUntil } from '../../support/stack/process.ts'
import { answer, asked, jobWith, pathway } from '../../support/runs/runs.ts'
import { listRequests, post } from '../support/effects.ts'
import { useFaultContext } from '../support/fault-context.ts'
import { randomDelay } from '../support/random-delay.ts'

const context = useFaultContext()

const RUNS = 6

/** A decision between two calls. The second call differs between the versions. */
const order = (pay: string) =>
  pathway(
    [
      post(context.ledger, 'price'),
      { id: 'review', type: 'human', kind: 'approval', title: 'Pay?' },
      post(context.ledger, pay),
    ],
    'price > review',
    `review.approve > ${pay}`,
    `review.reject > ${pay}`,
  )

async function startWaiting(pathwayId: string): Promise<string> {
  const { client } = context.workspace
  const { body } = await client.post<{ job_id: string }>('/v1/jobs', { pathway_id: `${pathwayId}@1` })
  await asked(client, body.job_id)
  return body.job_id
}

/** Kills the worker and then the API while a request is being repeated. */
async function killDuring(send: () => Promise<unknown>): Promise<void> {
  for (const kill of ['killWorker', 'killApi'] as const) {
    const cut = send().catch(() => undefined)
    await sleep(randomDelay(250))
    await context.stack[kill]()
    await cut
  }
}

const read = async (jobId: string) => (await context.workspace.client.get<JobDetail>(`/v1/jobs/${jobId}`)).body

const countEntries = async (action: string, jobId: string) =>
  (await context.workspace.client.get<{ data: unknown[] }>(`/v1/activity?action=${action}&target_id=${jobId}`)).body
    .data.length

/** Starts runs of a new pathway with two versions. Returns the request that moves them to the second version. */
async function startMovable() {
  const { client } = context.workspace
  const { body } = await client.post<{ id: string }>('/v1/pathways', { title: 'Order', definition: order('first') })
  await client.patch(`/v1/pathways/${body.id}`, { definition: order('second') })
  const runs = await Promise.all(Array.from({ length: RUNS }, () => startWaiting(body.id)))
  const request = { pathway: body.id, from_version: 1, to_version: 2, filter: {}, confirm: true }
  return { runs, migrate: () => client.post<MigrationReport>('/v1/jobs/migrate', request) }
}

/** Expects that each run ends with this version, and that it made each call of that version once. */
async function expectEnds(runs: string[], version: number): Promise<void> {
  const { client, id } = context.workspace
  for (const jobId of runs) {
    const [question] = await asked(client, jobId)
    await answer(client, id, jobId, question?.interventionId ?? '', { action: 'approve' })
    expect(await jobWith(client, jobId)).toMatchObject({ status: 'completed', pathway_version: version })
    const counts = ['/price', '/first', '/second'].map(path => listRequests(context.ledger, jobId, path).length)
    expect(counts).toEqual(version === 1 ? [1, 1, 0] : [1, 0, 1])
  }
}

test('a move survives kills of the worker and the API: it happens once, or not at all', async () => {
  const { runs, migrate } = await startMovable()
  await killDuring(migrate)
  await waitUntil(async () => (await migrate()).body.matched === 0)
  for (const jobId of runs) {
    const { pathway_version, migrations } = await read(jobId)
    expect([pathway_version, migrations?.length]).toEqual([2, 1])
    expect(await countEntries('job.migrate', jobId)).toBe(1)
  }
  await expectEnds(runs, 2)
})

test('an undo survives kills of the worker and the API: the run moves back once, and no other move is undone', async () => {
  const { client } = context.workspace
  const { runs, migrate } = await startMovable()
  await waitUntil(async () => (await migrate()).body.matched === 0)
  const undoAll = () => Promise.all(runs.map(jobId => client.post(`/v1/jobs/${jobId}/migration/undo`, {})))
  await killDuring(undoAll)
  await waitUntil(async () => {
    await undoAll()
    return (await Promise.all(runs.map(read))).every(({ pathway_version }) => pathway_version === 1)
  })
  for (const jobId of runs) {
    expect((await read(jobId)).migrations).toMatchObject([{ to_version: 2, undone_by: 'user:ann' }])
    expect(await countEntries('job.undo_migration', jobId)).toBe(1)
  }
  await expectEnds(runs, 1)
})
