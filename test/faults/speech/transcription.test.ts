import type { JobDetail } from '../../../contract/runs/job.ts'
import { audioBody, repeated } from '../../support/speech/audio.ts'
import { endMeeting, piece, plan, send, getTranscript } from '../../support/speech/meetings.ts'
import { waitUntil } from '../../support/stack/process.ts'
import { readEvents, pathway, startRun } from '../../support/runs/runs.ts'
import { type SpeechServer, startSpeechServer } from '../../support/speech/speech-server.ts'
import { type Stack, startStack, type TestWorkspace } from '../../support/stack/stack.ts'
import { transcribe } from '../../support/agents/transcripts.ts'

let server: SpeechServer
let stack: Stack
let workspace: TestWorkspace

beforeAll(async () => {
  server = await startSpeechServer()
  stack = await startStack({ env: { SPEECH_URL: server.base_url, SPEECH_USD_PER_MINUTE: '6' } })
  workspace = await stack.workspace({ actor: 'user:ann' })
})
afterAll(async () => {
  await stack?.stop()
  await server?.close()
})

const ended = (jobId: string): Promise<JobDetail> =>
  waitUntil(
    async () => {
      const { body } = await workspace.client.get<JobDetail>(`/v1/jobs/${jobId}`)
      return (body.status === 'completed' || body.status === 'failed') && body
    },
    undefined,
    () => `${jobId} is lost`,
  )

/** Returns how often each audio piece was sent to the speech service. */
function sendings(from: number): number[] {
  const pieces = server.requests.slice(from).map(({ file }) => file.bytes.toString('base64'))
  return [...Map.groupBy(pieces, bytes => bytes).values()].map(same => same.length)
}

/** Returns the words that were transcribed before the worker was killed. Later text consists of byte counts. */
const listWords = (text: string) => (text.match(/one|two/g) ?? []).toSorted()

/** Waits until two pieces are transcribed and two are in progress. */
const halfway = async (from: number) => {
  server.script({ text: 'one' }, { text: 'two' }, { instead: 'hang' }, { instead: 'hang' })
  await waitUntil(() => server.requests.length >= from + 4)
}

test('when the worker is killed halfway, transcribed pieces are not sent again or billed twice', async () => {
  const from = server.requests.length
  const { body } = await transcribe(workspace.client, audioBody('mp3', await repeated('mp3', 22)))
  await halfway(from)
  await stack.killWorker()
  const { status, result, usage, progress } = await ended(body.job_id)
  const { text, duration_seconds } = result as { text: string; duration_seconds: number }
  expect({ status, progress }).toEqual({ status: 'completed', progress: { done: 4, total: 4 } })
  expect(listWords(text)).toEqual(['one', 'two'])
  expect(sendings(from).toSorted((a, b) => a - b)).toEqual([1, 1, 2, 2])
  expect(usage.usd).toBeCloseTo(duration_seconds * 0.1, 3)
  expect((await readEvents(workspace.client, body.job_id)).at(-1)?.data).toMatchObject({
    type: 'complete',
    result: { text },
  })
})

test('the same is true for a pathway node', async () => {
  const from = server.requests.length
  const { audio_base64, mime_type } = audioBody('ogg', await repeated('ogg', 20))
  const jobId = await startRun(
    workspace.client,
    pathway([
      {
        id: 'listen',
        type: 'transcribe',
        with: { audio_base64: '${input.audio}', mime_type },
        retry: { max_attempts: 9 },
      },
    ]),
    { audio: audio_base64 },
  )
  await halfway(from)
  await stack.killWorker()
  const { status, result, usage } = await ended(jobId)
  const { text, duration_seconds } = result as { text: string; duration_seconds: number }
  expect(status).toBe('completed')
  expect(listWords(text)).toEqual(['one', 'two'])
  expect(usage.usd).toBeCloseTo(duration_seconds * 0.1, 3)
})

test('a meeting survives the loss of the worker, and contains every piece once', async () => {
  const { id } = await plan(workspace.client)
  server.script({ text: 'one' }, { instead: 'hang' })
  await send(workspace.client, id, piece(0))
  await waitUntil(async () => (await getTranscript(workspace.client, id)).text === 'one')
  const from = server.requests.length
  await send(workspace.client, id, piece(1))
  await waitUntil(() => server.requests.length > from)
  await stack.worker.end('SIGKILL')
  await send(workspace.client, id, piece(2))
  server.script({ text: 'heard' }, { text: 'heard' })
  const ending = endMeeting(workspace.client, id)
  await stack.restartWorker()
  const { status, body } = await ending
  expect([200, 202]).toContain(status)
  expect(await ended(body.job_id ?? '')).toMatchObject({ status: 'completed', result: { segments: 3, failed: 0 } })
  expect(await getTranscript(workspace.client, id)).toMatchObject({ status: 'ended', text: 'one heard heard' })
})
