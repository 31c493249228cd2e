import { AUDIO_MEDIA_TYPES } from '../../../domain/speech/audio.ts'
import { audioBody, recording, repeated } from '../../support/speech/audio.ts'
import { ingest, ingestFile, readAsset } from '../../support/documents/documents.ts'
import { waitUntil } from '../../support/stack/process.ts'
import { jobWith, pathway, startRun } from '../../support/runs/runs.ts'
import { useScriptedStack } from '../../support/agents/scripted-providers.ts'

const context = useScriptedStack()

const listen = (given: object, more: object = {}) => ({ id: 'listen', type: 'transcribe', with: given, ...more })
const run = async (definition: object, input?: unknown) =>
  jobWith(context.workspace.client, await startRun(context.workspace.client, definition, input))

test('a node transcribes audio', async () => {
  context.speech.script({ text: 'Good morning.' })
  const job = await run(
    pathway(
      [
        listen({ audio_base64: '${input.audio_base64}', mime_type: '${input.mime_type}' }),
        { id: 'end', type: 'end', output: '${nodes.listen.output}' },
      ],
      'listen > end',
    ),
    audioBody('mp3'),
  )
  expect(job).toMatchObject({
    status: 'completed',
    result: { text: 'Good morning.', language: 'en', segments: [{ start: 0, end: 1, text: 'Good morning.' }] },
  })
  expect(job.usage.usd).toBeCloseTo(11.088 * 0.01, 3)
})

test('a later attempt sends only the pieces that have not been transcribed yet', async () => {
  context.speech.script({ text: 'one' }, { text: 'two' }, { status: 500 }, { text: 'three' })
  const requestsBefore = context.speech.requests.length
  const { raw, name } = { raw: await repeated('mp3', 14), name: 'long.mp3' }
  const { body } = await ingestFile(context.workspace.client, { bytes: raw, name, type: 'audio/mpeg' })
  await jobWith(context.workspace.client, body.job_id ?? '', 'completed')
  expect(context.speech.requests).toHaveLength(requestsBefore + 4)
  context.speech.script({ text: 'four' }, { status: 500, delay_ms: 1_000 }, { text: 'five' }, { text: 'six' })
  const job = await run(pathway([listen({ asset: body.asset.id }, { retry: { initial: 'PT0.1S' } })]))
  expect(job.status).toBe('completed')
  const words = (job.result as { text: string }).text.split(' ')
  expect(words.toSorted()).toEqual(['five', 'four', 'six'])
  expect(context.speech.requests).toHaveLength(requestsBefore + 8)
})

test('speech in an asset can be found by search, and transcribed by a node', async () => {
  context.speech.script({ text: 'The zebra eats the marmalade.' })
  const { status, body } = await ingest(context.workspace.client, {
    content_base64: recording('webm').toString('base64'),
    mime_type: 'video/webm; codecs=opus',
    title: 'Call with the zoo',
  })
  expect({ status, media_type: body.asset.media_type }).toEqual({ status: 201, media_type: AUDIO_MEDIA_TYPES.webm })
  const asset = await readAsset(context.workspace.client, body.asset.id)
  expect(asset.extraction).toMatchObject({ status: 'ready', characters: 29, metadata: { language: 'en' } })
  await waitUntil(async () => {
    const query = { query: 'marmalade', mode: 'keyword' }
    const found = await context.workspace.client.post<{ matches: { resource_id: string }[] }>('/v1/search', query)
    return found.body.matches[0]?.resource_id === asset.id
  })
  context.speech.script({ text: 'The zebra again.' })
  expect((await run(pathway([listen({ asset: asset.slug })]))).result).toMatchObject({ text: 'The zebra again.' })
})

test('an asset that cannot be transcribed reports the reason', async () => {
  context.speech.script({ status: 401 })
  const refused = await ingestFile(context.workspace.client, { bytes: recording('ogg'), name: 'a.opus' })
  expect((await readAsset(context.workspace.client, refused.body.asset.id)).extraction).toMatchObject({
    status: 'failed',
    error: { code: 'SPEECH_AUTH' },
  })
  const mislabelled = await ingestFile(context.workspace.client, {
    bytes: recording('ogg'),
    name: 'a.mp3',
    type: 'audio/mpeg',
  })
  expect(mislabelled).toMatchObject({ status: 415 })
})

describe('a node fails with a specific code', () => {
  const failing = (given: object, input?: unknown) =>
    run(
      pathway([listen(given), { id: 'why', type: 'end', output: '${nodes.listen.error.code}' }], 'listen.error > why'),
      input,
    )

  test('when the asset does not exist or is not accessible', async () => {
    const elsewhere = await context.stack.workspace()
    const { body } = await ingest(elsewhere.client, { text: 'theirs' })
    for (const asset of ['nowhere', body.asset.id]) expect((await failing({ asset })).result).toBe('ASSET_NOT_FOUND')
  })

  test('when the asset is not audio', async () => {
    const { body } = await ingest(context.workspace.client, { text: 'A text' })
    expect((await failing({ asset: body.asset.id })).result).toBe('AUDIO_UNSUPPORTED')
  })

  test('when its input is not audio or has the wrong type', async () => {
    const audioInput = { audio_base64: '${input.audio_base64}', mime_type: '${input.mime_type}' }
    const { audio_base64 } = audioBody('mp3')
    expect((await failing(audioInput, { audio_base64: '?', mime_type: 'audio/mpeg' })).result).toBe(
      'NODE_INPUT_INVALID',
    )
    expect((await failing(audioInput, { audio_base64, mime_type: 'audio/wav' })).result).toBe('AUDIO_UNSUPPORTED')
    expect((await failing(audioInput, { audio_base64, mime_type: 'text/plain' })).result).toBe('AUDIO_UNSUPPORTED')
  })

  test('when the speech service rejects the request', async () => {
    context.speech.script({ status: 403 })
    expect((await failing(audioBody('mp3'))).result).toBe('SPEECH_AUTH')
  })
})
