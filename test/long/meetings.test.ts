import { Client, Connection, type WorkflowHandle } from '@temporalio/client'
import { endMeeting, piece, plan, send, getTranscript } from '../support/speech/meetings.ts'
import { waitUntil } from '../support/stack/process.ts'
import { type SpeechServer, startSpeechServer } from '../support/speech/speech-server.ts'
import { type Stack, startStack, type TestWorkspace } from '../support/stack/stack.ts'

let server: SpeechServer
let stack: Stack
let workspace: TestWorkspace
let connection: Connection

beforeAll(async () => {
  server = await startSpeechServer()
  stack = await startStack({ env: { SPEECH_URL: server.base_url } })
  workspace = await stack.workspace()
  connection = await Connection.connect({ address: stack.env.TEMPORAL_ADDRESS })
})
afterAll(async () => {
  await connection?.close()
  await stack?.stop()
  await server?.close()
})

/** Each piece needs a low-priority process, which gets little CPU time on a machine that is running other tests. */
const ALL_PIECES_MS = 540_000

/** Enough signals to make Temporal suggest continuing as new. */
const MANY = 4_200
const BATCH = 100

/**
 * Sends a batch of signals and waits until the run has handled all of them. A workflow task gets at most 5 s of CPU
 * time.
 */
async function sendSignals(handle: WorkflowHandle, sha256: string): Promise<void> {
  await Promise.all(Array.from({ length: BATCH }, () => handle.signal('audio', { seq: 0, sha256 })))
  await waitUntil(async () => !(await handle.describe()).raw.pendingWorkflowTask)
}

test('a meeting with a long history continues as new without losing data', async () => {
  const { id } = await plan(workspace.client)
  server.script(...Array.from({ length: 3 }, () => ({ text: 'heard' })))
  const { body } = await send(workspace.client, id, piece(0))
  const handle = new Client({ connection, namespace: stack.env.TEMPORAL_NAMESPACE }).workflow.getHandle(body.job_id)
  const first = (await handle.describe()).runId
  for (let sent = 0; sent < MANY; sent += BATCH) await sendSignals(handle, body.sha256)
  await send(workspace.client, id, piece(1))
  await waitUntil(
    async () => (await handle.describe()).runId !== first,
    undefined,
    () => 'it never continued as new',
  )
  await send(workspace.client, id, piece(2))
  expect(await endMeeting(workspace.client, id)).toMatchObject({ status: 200, body: { job_id: body.job_id } })
  expect(await getTranscript(workspace.client, id)).toMatchObject({ text: 'heard heard heard', pending: 0, failed: [] })
  expect((await workspace.client.get(`/v1/jobs/${body.job_id}`)).body).toMatchObject({ status: 'completed' })
})

test(
  'pieces that arrive while no worker is running are all transcribed, though a run accepts few signals at a time',
  async () => {
    const { id } = await plan(workspace.client)
    await stack.worker.end()
    const seqs = Array.from({ length: 105 }, (_, seq) => seq)
    const sent: Awaited<ReturnType<typeof send>>[] = []
    for (const seq of seqs) sent.push(await send(workspace.client, id, piece(seq)))
    expect(sent.map(({ status }) => status)).toEqual(seqs.map(() => 202))
    await stack.restartWorker()
    await waitUntil(async () => (await getTranscript(workspace.client, id)).pending === 0, ALL_PIECES_MS)
    const job_id = sent[0]?.body.job_id ?? ''
    const { events } = await new Client({ connection, namespace: stack.env.TEMPORAL_NAMESPACE }).workflow
      .getHandle(job_id)
      .fetchHistory()
    const signals = events?.filter(event => event.workflowExecutionSignaledEventAttributes) ?? []
    expect(signals.length).toBeLessThanOrEqual(100)
    expect(await endMeeting(workspace.client, id)).toMatchObject({ status: 200, body: { job_id } })
    expect(await getTranscript(workspace.client, id)).toMatchObject({ pending: 0, failed: [] })
    expect((await getTranscript(workspace.client, id)).segments).toHaveLength(seqs.length)
  },
  2 * ALL_PIECES_MS,
)
