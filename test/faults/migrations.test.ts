import { setTimeout as sleep } from 'node:timers/promises'
import type { MigrationReport } from '../../services/jobs/migrations/types.ts'
import type { JobDetail } from '../../services/jobs/types.ts'
import { waitUntil } from '../support/process.ts'
import { answer, asked, jobWith, pathway } from '../support/runs.ts'
import { listRequests, post } from './effects.ts'
import { useFaultContext } from './fault-context.ts'
import { randomDelay } from './random-delay.ts'

const context = useFaultContext()

const RUNS = 6

/** A decision between two calls, of which the second one is another in each version. */
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

async function kill(process: 'worker' | 'api'): Promise<void> {
  await context.stack[process].end('SIGKILL')
  await (process === 'worker' ? context.stack.restartWorker() : context.stack.restartApi())
}

const read = async (jobId: string) => (await context.workspace.client.get<JobDetail>(`/v1/jobs/${jobId}`)).body

test('a move outlives kills of the worker and the API: it happens once, or not at all', async () => {
  const { client, id } = context.workspace
  const { body } = await client.post<{ id: string }>('/v1/pathways', { title: 'Order', definition: order('first') })
  await client.patch(`/v1/pathways/${body.id}`, { definition: order('second') })
  const runs = await Promise.all(Array.from({ length: RUNS }, () => startWaiting(body.id)))
  const request = { pathway: body.id, from_version: 1, to_version: 2, filter: {}, confirm: true }
  const migrate = () => client.post<MigrationReport>('/v1/jobs/migrate', request)
  for (const process of ['worker', 'api'] as const) {
    const cut = migrate().catch(() => undefined)
    await sleep(randomDelay(250))
    await kill(process)
    await cut
  }
  await waitUntil(async () => {
    const { body: report } = await migrate()
    return report.matched === 0
  })
  for (const jobId of runs) {
    const { pathway_version, migrations } = await read(jobId)
    expect([pathway_version, migrations?.length]).toEqual([2, 1])
    const [question] = await asked(client, jobId)
    await answer(client, id, jobId, question?.interventionId ?? '', { action: 'approve' })
    expect(await jobWith(client, jobId)).toMatchObject({ status: 'completed', pathway_version: 2 })
    const counts = ['/price', '/first', '/second'].map(path => listRequests(context.ledger, jobId, path).length)
    expect(counts).toEqual([1, 0, 1])
    const { body: log } = await client.get<{ data: unknown[] }>(`/v1/activity?action=job.migrate&target_id=${jobId}`)
    expect(log.data).toHaveLength(1)
  }
})
