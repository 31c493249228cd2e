import { setTimeout as sleep } from 'node:timers/promises'
import { waitUntil } from '../../support/stack/process.ts'
import { replayRuns } from '../../support/runs/replay.ts'
import { answer, jobWith, pathway, startRun } from '../../support/runs/runs.ts'
import { useStack } from '../../support/stack/use-stack.ts'

const context = useStack()

/** A call that runs as a local activity. */
const call = (id: string, query: string) => ({
  id,
  type: 'http',
  idempotent: true,
  with: { method: 'POST', url: `${context.ledger.url}/${id}?${query}` },
})
const indexes = Array.from({ length: 10 }, (_, i) => i)

describe('a run with concurrent local activities', () => {
  test('replays correctly if their results arrive almost simultaneously', async () => {
    const { client, id } = context.workspace
    const definition = pathway(
      [
        ...indexes.map(i => call(`call${i}`, `delay_ms=${200 + 2 * i}`)),
        ...indexes.map(i => ({ id: `form${i}`, type: 'human', kind: 'form', form: { type: 'object' } })),
        { id: 'end', type: 'end' },
      ],
      ...indexes.map(i => `call${i} > form${i}`),
      ...indexes.map(i => `form${i}.submit_input > end`),
    )
    const jobId = await startRun(client, definition)
    for (const _ of indexes) {
      const { waitingFor } = await jobWith(client, jobId, 'waiting')
      const [open] = waitingFor ?? []
      await answer(client, id, jobId, open?.interventionId ?? '', { action: 'submit_input', data: {} })
    }
    expect(await jobWith(client, jobId)).toMatchObject({ status: 'completed' })
    expect(await replayRuns([jobId])).toEqual([])
  })

  test('fails with the first activity that fails, and shows no node as running', async () => {
    const { client } = context.workspace
    const definition = pathway(indexes.map(i => call(`bad${i}`, 'status=422')))
    const jobId = await startRun(client, definition)
    const job = await jobWith(client, jobId)
    expect(job).toMatchObject({ status: 'failed', failedReason: expect.stringContaining('422') })
    expect(job.nodes.map(({ status }) => status)).not.toContain('running')
    expect(Date.parse(job.finished_at ?? '')).toBeGreaterThanOrEqual(Date.parse(job.processed_at ?? ''))
    expect(await replayRuns([jobId])).toEqual([])
  })

  test('repeats a call in a regular activity if its local attempt failed or took too long', async () => {
    const { client } = context.workspace
    const failing = { ...call('failing', 'fail=2'), retry: { max_attempts: 3, initial: 'PT0.05S' } }
    const failed = { ...call('failed', 'fail=2'), retry: { max_attempts: 2, initial: 'PT0.05S' } }
    const slow = { ...call('slow', 'delay_ms=1200'), retry: { max_attempts: 1 } }
    const late = { ...call('late', 'delay_ms=1200'), timeout: 'PT0.2S', retry: { max_attempts: 1 } }
    const definition = pathway(
      [failing, failed, slow, late, { id: 'end', type: 'end' }],
      'failing > failed',
      'failed.error > slow',
      'slow > late',
      'late.timeout > end',
    )
    const jobId = await startRun(client, definition)
    const job = await jobWith(client, jobId)
    expect(Object.fromEntries(job.nodes.map(({ key, port, error }) => [key, error?.code ?? port]))).toEqual({
      failing: 'default',
      failed: 'HTTP_503',
      slow: 'default',
      late: 'TIMEOUT',
    })
    const counts = ['failing', 'failed', 'slow', 'late'].map(
      id => context.ledger.requests.filter(({ path }) => path === `/${id}`).length,
    )
    expect(counts).toEqual([3, 2, 2, 1])
    expect(await replayRuns([jobId])).toEqual([])
  })

  test('stops on a cancel and aborts a call that has not returned', async () => {
    const { client } = context.workspace
    const jobId = await startRun(client, pathway([call('hanging', 'hang=true')]))
    const seen = await waitUntil(async () => context.ledger.requests.find(({ path }) => path === '/hanging'))
    await client.post(`/v1/jobs/${jobId}/cancel`)
    expect(await jobWith(client, jobId)).toMatchObject({
      status: 'failed',
      receipt: [{ node_id: 'hanging', outcome: 'in_doubt' }],
    })
    await waitUntil(async () => seen.aborted_at)
    expect(await replayRuns([jobId])).toEqual([])
  })
})

/** The run fails in the workflow task that starts the call. A cancel at its end makes Temporal repeat that task. */
test('a step with compensation is not repeated when Temporal retries a workflow task after the end of the run', async () => {
  const { client } = context.workspace
  const play = async (n: number) => {
    const path = `undoable${n}`
    const definition = pathway([
      { ...call(path, 'fail=1'), compensate: 'undo' },
      { id: 'undo', type: 'http', with: { method: 'POST', url: `${context.ledger.url}/undo-${path}` } },
      {
        id: 'b',
        type: 'loop',
        until: 'false',
        max: 2,
        body: { nodes: [{ id: 'c', type: 'transform', with: { value: n } }], edges: [] },
      },
    ])
    const jobId = await startRun(client, definition)
    await sleep(3 * n)
    await client.post(`/v1/jobs/${jobId}/cancel`)
    const { receipt = [] } = await jobWith(client, jobId)
    const made = (wanted: string) => context.ledger.effects.filter(effect => effect.path === wanted).length
    return { done: made(`/${path}`), undone: made(`/undo-${path}`), receipt: receipt.map(({ outcome }) => outcome) }
  }
  const runs = await Promise.all(Array.from({ length: 20 }, (_, n) => play(n)))
  expect(runs.filter(({ done, undone }) => done !== undone)).toEqual([])
})
