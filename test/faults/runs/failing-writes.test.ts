import { Client } from 'pg'
import type { DiagnosisView } from '../../../contract/runs/diagnosis.ts'
import type { JobDetail } from '../../../contract/runs/job.ts'
import { listRuns } from '../../support/runs/operator-view.ts'
import { waitUntil } from '../../support/stack/process.ts'
import { jobWith, pathway, startRun } from '../../support/runs/runs.ts'
import { useOwnStack } from '../../support/stack/use-stack.ts'

const context = useOwnStack()

/** Makes Postgres reject rows of some nodes and child runs, as if a column could not store their data. */
beforeAll(async () => {
  const owner = new Client(context.stack.database.adminUrl)
  await owner.connect()
  await owner.query(`alter table job_nodes add constraint refused check (node_id <> 'refused') not valid`)
  await owner.query(`alter table jobs add constraint refused check (parent_key <> 'child') not valid`)
  await owner.end()
  const definition = pathway([{ id: 'v', type: 'transform', with: { value: 1 } }])
  await context.workspace.client.post('/v1/pathways', { title: 'Child', slug: 'child', definition })
})

const read = async <T>(path: string) => (await context.workspace.client.get<T>(path)).body
const countStuck = async () => (await read<{ stuck_runs: number }>('/v1/health')).stuck_runs

test('a run whose rows were rejected reports this everywhere, and a cancel ends it', async () => {
  const { client } = context.workspace
  const jobId = await startRun(client, pathway([{ id: 'refused', type: 'wait', event: 'go' }]))
  const { problem } = await waitUntil(async () => {
    const job = await read<JobDetail>(`/v1/jobs/${jobId}`)
    return job.problem && job
  })
  expect(problem).toMatchObject({ message: expect.stringContaining('see the worker log for the cause') })
  expect(await read<DiagnosisView>(`/v1/jobs/${jobId}/diagnosis`)).toMatchObject({ cause: 'workflow_task_failing' })
  await waitUntil(async () => (await countStuck()) === 1)
  expect(await listRuns(`TemporalReportedProblems IS NOT NULL AND WorkflowId = "${jobId}"`)).toEqual([jobId])

  expect((await client.post(`/v1/jobs/${jobId}/cancel`)).status).toBeLessThan(300)
  expect(await jobWith(client, jobId)).toMatchObject({ status: 'failed' })
  await waitUntil(async () => (await countStuck()) === 0)
})

test('a child run whose row was rejected fails its node, and the parent run continues', async () => {
  const definition = pathway(
    [
      { id: 'child', type: 'pathway', ref: 'child' },
      { id: 'caught', type: 'end', output: '${nodes.child.error.code}' },
    ],
    'child.error > caught',
  )
  const jobId = await startRun(context.workspace.client, definition)
  expect(await jobWith(context.workspace.client, jobId)).toMatchObject({ status: 'completed', result: 'INTERNAL' })
})
