import { execute } from '../../../data/shared/statements.ts'
import type { JobEvent } from '../../../domain/runs/events.ts'
import { audioBody, recording, repeated, SAID, SECONDS } from '../../support/speech/audio.ts'
import { encodeForm, type FilePart } from '../../support/documents/documents.ts'
import { createClient } from '../../support/clients/client.ts'
import { startProcess, waitUntil } from '../../support/stack/process.ts'
import { readEvents, jobWith } from '../../support/runs/runs.ts'
import { type SpeechServer, startSpeechServer } from '../../support/speech/speech-server.ts'
import {
  type ConnectedStack,
  connectSharedStack,
  type Stack,
  startStack,
  type TestWorkspace,
} from '../../support/stack/stack.ts'
import { transcribe, transcribed } from '../../support/agents/transcripts.ts'
import { nextFree } from '../../../dev/machine/ports.ts'

let server: SpeechServer
let scripted: Stack
let workspace: TestWorkspace

beforeAll(async () => {
  server = await startSpeechServer()
  const env = {
    SPEECH_URL: server.base_url,
    SPEECH_MODEL: 'scripted',
    SPEECH_USD_PER_MINUTE: '0.006',
    AUDIO_MAX_BYTES: '2000000',
  }
  scripted = await startStack({ env })
  workspace = await scripted.workspace({ actor: 'user:ann' })
})
afterAll(async () => {
  await scripted?.stop()
  await server?.close()
})

const progressOf = (events: { data: JobEvent }[]) =>
  events.flatMap(({ data }) => (data.type === 'progress' ? [data.done] : []))

describe('with the real speech service', () => {
  let real: ConnectedStack
  let there: TestWorkspace
  beforeAll(async () => {
    real = await connectSharedStack()
    there = await real.workspace()
  })
  afterAll(() => real?.stop())

  test('the result contains the transcript, with times', async () => {
    const { transcript, status, kind, nodes, progress } = await transcribed(there.client, audioBody('mp3'))
    expect({ status, kind, progress }).toEqual({
      status: 'completed',
      kind: 'transcribe',
      progress: { done: 1, total: 1 },
    })
    expect(transcript?.text).toMatch(SAID)
    expect(transcript?.language).toMatch(/^en/)
    expect(transcript?.duration_seconds).toBeCloseTo(SECONDS, 0)
    expect(transcript?.segments.map(({ text }) => text).join(' ')).toMatch(SAID)
    for (const { start, end } of transcript?.segments ?? []) expect(end).toBeGreaterThan(start)
    expect(nodes).toMatchObject([{ key: 'transcribe', status: 'completed' }])
  })
})

test('pieces are counted in the record and the stream, joined in order, and billed once', async () => {
  server.script({ text: 'one', delay_ms: 500 }, { text: 'two' }, { text: 'three' })
  const { job_id, transcript, usage, progress } = await transcribed(
    workspace.client,
    audioBody('mp3', await repeated('mp3', 14)),
  )
  expect(transcript?.language).toBe('en')
  expect(transcript?.text.split(' ').toSorted()).toEqual(['one', 'three', 'two'])
  expect(transcript?.segments.map(({ text }) => text).join(' ')).toBe(transcript?.text)
  expect(transcript?.segments.map(({ start }) => Math.round(start))).toEqual([0, 60, 120])
  expect(progress).toEqual({ done: 3, total: 3 })
  expect(usage.usd).toBeCloseTo((transcript?.duration_seconds ?? 0) * 0.0001, 6)
  const { body } = await workspace.client.get<{ data: object[] }>('/v1/usage?group_by=model')
  expect(body.data).toContainEqual(expect.objectContaining({ group: 'scripted', slug: null }))
  const events = await readEvents(workspace.client, job_id)
  const counted = progressOf(events)
  expect(counted).toEqual(counted.toSorted((a, b) => a - b))
  expect(counted.at(-1)).toBe(3)
  expect(events.at(-1)?.data).toMatchObject({ type: 'complete', result: transcript })
})

test('the same key returns the same job, and is rejected with other audio', async () => {
  const headers = { 'Idempotency-Key': 'once' }
  const first = await transcribe(workspace.client, audioBody('mp3'), { headers })
  const again = await transcribe(workspace.client, audioBody('mp3'), { headers })
  expect([first.status, again.status]).toEqual([202, 202])
  expect(first.body).toEqual({ job_id: expect.stringMatching(/^transcribe-/), status: 'pending' })
  expect(again.body).toEqual(first.body)
  expect((await transcribe(workspace.client, audioBody('ogg'), { headers })).status).toBe(409)
  await jobWith(workspace.client, first.body.job_id)
})

test('the job belongs to the brain in which it started', async () => {
  const { brain_id } = await transcribed(workspace.client, { ...audioBody('mp3'), brain_id: workspace.brain_id })
  expect(brain_id).toBe(workspace.brain_id)
})

describe('a service that fails', () => {
  test('is retried after the requested delay', async () => {
    server.script({ status: 429, headers: { 'retry-after': '2' } }, { text: 'at last' })
    const requestsBefore = server.requests.length
    expect((await transcribed(workspace.client, audioBody('mp3'))).transcript?.text).toBe('at last')
    const [first, second] = server.requests.slice(requestsBefore)
    expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual(1_900)
  })

  test('is retried after a lost connection or an invalid response', async () => {
    server.script({ text: 'lost', instead: 'cut' }, { raw: '{' }, { status: 500 }, { text: 'here' })
    expect((await transcribed(workspace.client, audioBody('mp3'))).transcript?.text).toBe('here')
  })

  test.each([
    [401, 'SPEECH_AUTH', 'The speech service rejected the credentials (401)'],
    [400, 'SPEECH_REFUSED_AUDIO', 'The speech service rejected the audio (400)'],
  ])('is not retried after a %i', async (status, code, failedReason) => {
    server.script({ status })
    const requestsBefore = server.requests.length
    const job = await transcribed(workspace.client, audioBody('mp3'))
    expect(job).toMatchObject({ status: 'failed', failedReason, nodes: [{ status: 'failed', error: { code } }] })
    expect(server.requests).toHaveLength(requestsBefore + 1)
    expect((await readEvents(workspace.client, job.job_id)).at(-1)?.data).toEqual({
      type: 'error',
      code,
      message: failedReason,
    })
  })
})

test('damaged audio fails with a specific code', async () => {
  const broken = Buffer.concat([recording('flac').subarray(0, 60), Buffer.alloc(50_000, 7)])
  expect(await transcribed(workspace.client, audioBody('flac', broken))).toMatchObject({
    status: 'failed',
    nodes: [{ error: { code: expect.stringMatching(/^AUDIO_/) } }],
  })
})

test('a cancel closes the connection and keeps none of the audio', async () => {
  server.script({ instead: 'hang' }, { instead: 'hang' })
  const requestsBefore = server.requests.length
  const { body } = await transcribe(workspace.client, audioBody('mp3', await repeated('mp3', 14)))
  await waitUntil(() => server.requests.length === requestsBefore + 2)
  const cancelled = await workspace.client.post(`/v1/jobs/${body.job_id}/cancel`)
  expect(cancelled).toMatchObject({
    status: 200,
    body: { status: 'failed', receipt: [{ node_id: 'transcribe', outcome: 'stopped' }] },
  })
  await waitUntil(() => server.requests.slice(requestsBefore).every(({ aborted_at }) => aborted_at !== undefined))
  expect(await jobWith(workspace.client, body.job_id)).toMatchObject({ failedReason: 'cancelled by user:ann' })
  const storedRows = await scripted.database.db.inWorkspace(workspace.id, tx =>
    execute(tx, 'select from audio_pieces where job_id = $1 and bytes is not null', [body.job_id]),
  )
  expect(storedRows).toBe(0)
})

describe('invalid requests are rejected immediately', () => {
  const pointed = (pointer: string) => ({ details: [{ pointer }] })

  test.each([
    ['no audio', { mime_type: 'audio/mpeg' }, 400, pointed('/audio_base64')],
    ['empty audio', { audio_base64: '', mime_type: 'audio/mpeg' }, 400, pointed('/audio_base64')],
    ['invalid base64', { audio_base64: '*', mime_type: 'audio/mpeg' }, 400, pointed('/audio_base64')],
    ['no type', { audio_base64: audioBody('mp3').audio_base64 }, 400, pointed('/mime_type')],
    ['an unknown field', { ...audioBody('mp3'), langauge: 'en' }, 400, { code: 'VALIDATION_ERROR' }],
    ['a type that is not audio', { ...audioBody('mp3'), mime_type: 'text/plain' }, 400, pointed('/mime_type')],
    ['an invalid type', { ...audioBody('mp3'), mime_type: 'mp3' }, 400, pointed('/mime_type')],
    [
      'a type that does not match the bytes',
      { ...audioBody('mp3'), mime_type: 'audio/wav' },
      400,
      pointed('/audio_base64'),
    ],
    ['bytes of unknown type', { audio_base64: 'aGVsbG8=', mime_type: 'audio/wav' }, 400, pointed('/audio_base64')],
    ['audio above the limit', audioBody('wav', Buffer.alloc(2_000_001)), 413, { code: 'PAYLOAD_TOO_LARGE' }],
    ['audio far above the limit', audioBody('wav', Buffer.alloc(5_000_000)), 413, { code: 'PAYLOAD_TOO_LARGE' }],
  ])('%s', async (_, body, status, refusal) => {
    expect(await transcribe(workspace.client, body)).toMatchObject({ status, body: refusal })
  })

  test.each([
    ['without a file', { language: 'en' }, 'file'],
    ['with another file', { file: { bytes: 'hello' } }, 'file'],
    ['with a picture', { file: { bytes: '\x89PNG\r\n\x1a\n', type: 'application/octet-stream' } }, 'file'],
    ['with a type that does not match the file', { file: { bytes: recording('mp3'), type: 'audio/wav' } }, 'file'],
    ['with the name of a language', { file: { bytes: recording('mp3') }, language: 'English' }, 'language'],
  ])('a form %s', async (_, fields, field) => {
    const refused = await transcribeForm(fields)
    expect(refused).toMatchObject({ status: 400, body: pointed(`/${field}`) })
  })
})

const transcribeForm = async (fields: Record<string, string | FilePart>) => {
  const { raw, type } = await encodeForm(fields)
  return workspace.client.post<{ job_id: string }>('/v1/transcribe', undefined, {
    raw,
    headers: { 'Content-Type': type },
  })
}

test('a file in a form is transcribed in the requested language', async () => {
  const file = { bytes: recording('mp3'), name: 'said.mp3' }
  for (const [fields, language] of [
    [{ file: { ...file, type: 'audio/mpeg' } }, null],
    [{ file: { ...file, type: 'application/octet-stream' }, language: 'en' }, 'en'],
    [{ file, mime_type: 'audio/mpeg', language: 'de' }, 'de'],
  ] as [Record<string, string | FilePart>, string | null][]) {
    const { status, body } = await transcribeForm(fields)
    expect(status).toBe(202)
    await jobWith(workspace.client, body.job_id, 'completed')
    expect(server.requests.at(-1)).toMatchObject({ language, file: { type: 'audio/mpeg' } })
  }
  await transcribed(workspace.client, { ...audioBody('mp3'), language: 'fr' })
  expect(server.requests.at(-1)?.language).toBe('fr')
})

test('types are accepted under alternative names, and with the codecs that recorders add', async () => {
  for (const [format, mime_type] of [
    ['webm', 'audio/webm;codecs=opus'],
    ['ogg', 'Audio/OGG; codecs=opus'],
    ['m4a', 'audio/x-m4a'],
    ['wav', 'audio/wave'],
  ] as const) {
    const { body, status } = await transcribe(workspace.client, { ...audioBody(format), mime_type })
    expect(status).toBe(202)
    await jobWith(workspace.client, body.job_id, 'completed')
  }
})

test('without a speech service every request is rejected, and the settings reflect this', async () => {
  const { body: settings } = await workspace.client.get<{ transcription: object; limits: object }>('/v1/config')
  expect(settings).toMatchObject({
    transcription: { model: 'scripted', usd_per_minute: 0.006 },
    limits: { audio_bytes: 2_000_000 },
  })
  const port = String(await nextFree())
  const env = { ...scripted.env, SPEECH_URL: '', PORT: port, BASE_URL: `http://127.0.0.1:${port}` }
  const silent = await startProcess('api/main.ts', env, output => output.includes('API is listening'))
  const client = createClient(env.BASE_URL, workspace.api_key)
  expect(await transcribe(client, audioBody('mp3'))).toMatchObject({
    status: 503,
    body: { code: 'UNAVAILABLE', message: 'No speech service is configured' },
  })
  expect((await client.get('/v1/config')).body).toMatchObject({ transcription: null })
  await silent.end()
})
