import { Client, Connection, WorkflowNotFoundError } from '@temporalio/client'
import { readConfig } from '../../../config/config.ts'
import { deleteHistory } from '../../../services/audit/purges/delete-history.ts'
import { openTemporal } from '../../../services/shared/temporal.ts'
import { answer, asked, edges, jobWith, pathway } from '../../support/runs/runs.ts'
import { waitUntil } from '../../support/stack/process.ts'
import { useStack } from '../../support/stack/use-stack.ts'

const context = useStack()
let connection: Connection

beforeAll(async () => {
  connection = await Connection.connect({ address: context.stack.env.TEMPORAL_ADDRESS })
})
afterAll(() => connection?.close())

test('a run with a long history continues as new with its open question, its waits and its migrated version', async () => {
  const body = { nodes: [{ id: 'nap', type: 'wait', duration: 'PT0.001S' }], edges: edges() }
  const define = (output: string[]) =>
    pathway(
      [
        { id: 'ask', type: 'human', kind: 'approval', due: 'P7D' },
        { id: 'sign', type: 'wait', event: 'signed' },
        { id: 'busy', type: 'map', items: '${input}', concurrency: 100, body },
        { id: 'all', type: 'join', mode: 'all' },
        { id: 'late', type: 'end' },
        { id: 'z', type: 'end', output },
      ],
      'ask.approve > all',
      'ask.reject > late',
      'ask.timeout > late',
      'sign > all',
      'busy > all',
      'all > z',
    )
  const { client } = context.workspace
  const { body: made } = await client.post<{ id: string }>('/v1/pathways', { title: 'Busy', definition: define([]) })
  const moved = define(['${nodes.ask.output.action}', '${nodes.sign.output.event.data}'])
  await client.patch(`/v1/pathways/${made.id}`, { definition: moved })
  const input = Array.from({ length: 2_600 }, (_, i) => i)
  const { body: started } = await client.post<{ job_id: string }>('/v1/jobs', { pathway_id: `${made.id}@1`, input })
  const jobId = started.job_id
  await client.post(`/v1/jobs/${jobId}/pause`, {})
  const request = { pathway: made.id, from_version: 1, to_version: 2, filter: { job_ids: [jobId] } }
  // A run that has not started cannot be migrated.
  await waitUntil(async () => {
    const { body } = await client.post<{ counts?: { moved: number } }>('/v1/jobs/migrate', request)
    return body.counts?.moved === 1
  })
  await client.post(`/v1/jobs/${jobId}/resume`, {})
  const handle = new Client({ connection, namespace: context.stack.env.TEMPORAL_NAMESPACE }).workflow.getHandle(jobId)
  const first = (await handle.describe()).runId
  await waitUntil(
    async () => (await handle.describe()).runId !== first,
    undefined,
    () => 'it never continued as new',
  )
  await waitUntil(
    async () => (await jobWith(context.workspace.client, jobId, 'running', 'waiting')).status === 'waiting',
    undefined,
  )
  const [question] = await asked(context.workspace.client, jobId)
  await context.workspace.client.post(`/v1/jobs/${jobId}/resume`, { event: 'signed', data: 'here' })
  const reply = await answer(context.workspace.client, context.workspace.id, jobId, question?.interventionId ?? '', {
    action: 'approve',
  })
  expect(reply.status).toBe(200)
  expect((await jobWith(context.workspace.client, jobId)).result).toEqual(['approve', 'here'])

  // A purge deletes the histories of all runs in the chain.
  const temporal = openTemporal(readConfig(context.stack.env))
  await waitUntil(async () => (await deleteHistory(temporal, jobId)) === 'deleted')
  // Temporal deletes each history independently.
  await waitUntil(async () => {
    const found = temporal.client.workflow.getHandle(jobId, first).describe()
    return found.then(() => false).catch((error: unknown) => error instanceof WorkflowNotFoundError)
  })
  await temporal.close()
})
