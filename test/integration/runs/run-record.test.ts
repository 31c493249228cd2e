import type { JobDetail } from '../../../contract/runs/job.ts'
import type { RunDefinitionView } from '../../../contract/runs/definition.ts'
import { jobWith, pathway, startRun } from '../../support/runs/runs.ts'
import { useStack } from '../../support/stack/use-stack.ts'

const context = useStack()

test('the record of a run contains its input, the inputs of its nodes, and their failed attempts', async () => {
  const { client } = context.workspace
  const retry = { max_attempts: 3, initial: 'PT0.1S', backoff: 1 }
  const call = (id: string, more: object) => ({
    id,
    type: 'http',
    retry,
    with: { method: 'POST', url: `${context.ledger.url}/${id}?fail=2&status=503`, json: { who: '${input.who}' } },
    ...more,
  })
  const definition = pathway([call('recorded', {}), call('local', { idempotent: true })], 'recorded > local')
  const jobId = await startRun(client, definition, { who: 'Ann' })
  const { input, nodes } = await jobWith(client, jobId, 'completed')
  expect(input).toEqual({ who: 'Ann' })
  const failed = (attempt: number) => ({
    attempt,
    at: expect.any(String),
    code: 'HTTP_503',
    message: expect.any(String),
  })
  const record = { input: { json: { who: 'Ann' } }, attempt: 3, failed_attempts: [failed(1), failed(2)] }
  expect(nodes).toMatchObject([
    { node_id: 'recorded', ...record },
    { node_id: 'local', ...record },
  ])
})

test('the definition of a run stays pinned, even if it was sent with the request', async () => {
  const { client } = context.workspace
  const first = pathway([{ id: 'done', type: 'end', output: 'first' }])
  const { body: made } = await client.post<{ id: string }>('/v1/pathways', {
    title: 'Pinned record',
    definition: first,
  })
  const { body: run } = await client.post<{ job_id: string }>(`/v1/pathways/${made.id}/execute`, {})
  const second = pathway([{ id: 'done', type: 'end', output: 'second' }])
  await client.patch(`/v1/pathways/${made.id}`, { definition: second, title: 'Renamed' })
  const read = async (jobId: string) => (await client.get<RunDefinitionView>(`/v1/jobs/${jobId}/definition`)).body
  const pinned = { id: made.id, slug: 'pinned-record', title: 'Pinned record', version: 1, definition: first }
  expect(await read(run.job_id)).toEqual(pinned)
  const inline = await startRun(client, second)
  expect(await read(inline)).toEqual({ id: null, slug: null, title: null, version: null, definition: second })
  await client.post('/v1/reflexes', { title: 'Record tools', source: 'builtin' })
  const tool = { id: 'now', type: 'tool', with: { reflex: 'record-tools', name: 'current_time', args: {} } }
  const { definition } = await read(await startRun(client, pathway([tool])))
  expect(definition.nodes[0]).toMatchObject({ with: { reflex: expect.stringMatching(/@1$/), name: 'current_time' } })
  const { body: neuron } = await client.post<{ slug: string }>('/v1/neurons', { title: 'No graph', model: 'none:none' })
  const { body: asked } = await client.post<JobDetail>(`/v1/neurons/${neuron.slug}/invoke`, {
    message: 'x',
    stream: true,
  })
  expect((await client.get(`/v1/jobs/${asked.job_id}/definition`)).status).toBe(404)
})
