import { openSpeechService, type SpeechService } from '../../../activities/speech/service.ts'
import { recording, SAID } from '../../support/speech/audio.ts'
import { readEnvironment } from '../../../config/environment.ts'
import { type SpeechReply, type SpeechServer, startSpeechServer } from '../../support/speech/speech-server.ts'

const KEY = 'sk-very-secret'
const audio = { bytes: recording('ogg'), format: 'ogg' as const }
const never = new AbortController().signal
let server: SpeechServer
let speech: SpeechService

const opened = (given: Partial<Parameters<typeof openSpeechService>[0]> = {}) =>
  openSpeechService({
    SPEECH_URL: server.base_url,
    SPEECH_API_KEY: KEY,
    SPEECH_MODEL: 'whisper-1',
    SPEECH_TIMEOUT_SECONDS: 30,
    ...given,
  })

beforeAll(async () => {
  server = await startSpeechServer()
  speech = opened()
})
afterAll(() => Promise.all([speech?.close(), server?.close()]))

test('requests follow the OpenAI API', async () => {
  server.script({ text: 'Good morning.', language: 'english' })
  expect(await speech.transcribe(audio, never)).toEqual({
    text: 'Good morning.',
    language: 'english',
    segments: [{ start: 0, end: 1, text: 'Good morning.' }],
  })
  const sentRequest = server.requests.at(-1)
  expect(sentRequest).toMatchObject({
    model: 'whisper-1',
    response_format: 'verbose_json',
    file: { name: 'audio.ogg', type: 'audio/ogg' },
    headers: { authorization: `Bearer ${KEY}` },
  })
  expect(sentRequest?.file.bytes.equals(audio.bytes)).toBe(true)
})

test('a model without timestamp support is not asked for timestamps', async () => {
  const other = opened({ SPEECH_MODEL: 'gpt-4o-mini-transcribe' })
  server.script({ raw: '{"text":"Hello."}' })
  expect(await other.transcribe(audio, never)).toMatchObject({ segments: [{ start: 0, text: 'Hello.' }] })
  expect(server.requests.at(-1)?.response_format).toBe('json')
  await other.close()
})

test('an answer without timestamps yields one segment, and silence yields none', async () => {
  server.script({ raw: '{"text":" Hello. "}' }, { text: '' })
  expect(await speech.transcribe(audio, never)).toEqual({
    text: 'Hello.',
    segments: [{ start: 0, end: expect.any(Number), text: 'Hello.' }],
  })
  expect(await speech.transcribe(audio, never)).toMatchObject({ text: '', segments: [] })
})

test('text that cannot be stored is converted', async () => {
  server.script({ raw: String.raw`{"text":"A\ud83d","segments":[{"start":0,"end":1,"text":"A\u0000"}]}` })
  expect(await speech.transcribe(audio, never)).toEqual({
    text: 'A\ufffd',
    segments: [{ start: 0, end: 1, text: 'A\ufffd' }],
  })
})

test('segments are in spoken order, and none ends before it starts', async () => {
  const segments = [
    { start: 5, end: 4, text: 'second' },
    { start: 1, end: 2, text: 'first' },
    { start: 6, end: 7, text: '  ' },
  ]
  server.script({ text: 'first second', segments })
  expect((await speech.transcribe(audio, never)).segments).toEqual([
    { start: 1, end: 2, text: 'first' },
    { start: 5, end: 5, text: 'second' },
  ])
})

const REFUSALS: [string, SpeechReply, object][] = [
  ['a bad key', { status: 401 }, { code: 'SPEECH_AUTH', retryable: false }],
  ['an unknown model', { status: 404 }, { code: 'SPEECH_UNKNOWN_MODEL', retryable: false }],
  ['rejected audio', { status: 400 }, { code: 'SPEECH_REFUSED_AUDIO', retryable: false }],
  ['audio that is too large', { status: 413 }, { code: 'SPEECH_REFUSED_AUDIO', retryable: false }],
  [
    'too many requests',
    { status: 429, headers: { 'retry-after': '7' } },
    { code: 'SPEECH_RATE_LIMIT', retryable: true, retryAfterMs: 7_000 },
  ],
  ['a failure', { status: 503 }, { code: 'SPEECH_UNAVAILABLE', retryable: true }],
  ['a redirect', { status: 302, headers: { location: 'http://127.0.0.1:1/' } }, { code: 'SPEECH_UNAVAILABLE' }],
  [
    'an interrupted connection',
    { text: 'never told', instead: 'cut' },
    { code: 'SPEECH_UNAVAILABLE', retryable: true },
  ],
  ['a response that is not JSON', { raw: '<html>' }, { code: 'SPEECH_BAD_ANSWER', retryable: true }],
  ['unexpected JSON', { raw: '{"text":5}' }, { code: 'SPEECH_BAD_ANSWER', retryable: true }],
  ['negative times', { segments: [{ start: -1, end: 1, text: 'a' }] }, { code: 'SPEECH_BAD_ANSWER' }],
  ['an endless response', { raw: `"${'a'.repeat(5_000_000)}"` }, { code: 'SPEECH_BAD_ANSWER', retryable: true }],
]

test.each(REFUSALS)('%s fails with its error code and reveals no secret', async (_, reply, failure) => {
  server.script({ raw: JSON.stringify({ error: { message: `bad key ${KEY}` } }), ...reply })
  const requestsBefore = server.requests.length
  const error: unknown = await speech.transcribe(audio, never).catch((error: unknown) => error)
  expect(error).toMatchObject(failure)
  expect((error as Error).message).not.toContain(KEY)
  expect(server.requests).toHaveLength(requestsBefore + 1)
})

test('an unreachable service is a retryable error, an unconfigured one is not', async () => {
  const [unreachable, off] = [opened({ SPEECH_URL: 'http://127.0.0.1:1/v1' }), opened({ SPEECH_URL: undefined })]
  await expect(unreachable.transcribe(audio, never)).rejects.toMatchObject({
    code: 'SPEECH_UNAVAILABLE',
    retryable: true,
  })
  await expect(off.transcribe(audio, never)).rejects.toMatchObject({ code: 'SPEECH_OFF', retryable: false })
  await Promise.all([unreachable.close(), off.close()])
})

test('a service that does not respond in time is abandoned', async () => {
  const hasty = opened({ SPEECH_TIMEOUT_SECONDS: 1 })
  server.script({ instead: 'hang' })
  await expect(hasty.transcribe(audio, never)).rejects.toMatchObject({ code: 'SPEECH_TIMEOUT', retryable: true })
  await hasty.close()
})

test('a cancel closes the connection', async () => {
  server.script({ instead: 'hang' })
  const stop = new AbortController()
  const requestsBefore = server.requests.length
  const heard = speech.transcribe(audio, stop.signal)
  while (server.requests.length === requestsBefore) await new Promise(resolve => setTimeout(resolve, 10))
  const reason = new Error('cancelled')
  stop.abort(reason)
  await expect(heard).rejects.toBe(reason)
  while (server.requests[requestsBefore]?.aborted_at === undefined)
    await new Promise(resolve => setTimeout(resolve, 10))
})

/** `npm run test:long` covers the other formats. */
test('real speech is recognized', async () => {
  const format = 'webm'
  const real = opened({ SPEECH_URL: readEnvironment().SPEECH_URL, SPEECH_API_KEY: undefined })
  const { text, segments } = await real.transcribe({ bytes: recording(format), format }, never)
  expect(text).toMatch(SAID)
  expect(segments.at(-1)?.end).toBeLessThan(13)
  await real.close()
})
