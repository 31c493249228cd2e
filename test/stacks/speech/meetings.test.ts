import type { JobEvent } from '../../../domain/runs/events.ts'
import { SAID } from '../../support/speech/audio.ts'
import { endMeeting, follow, followUntil, piece, plan, send, getTranscript } from '../../support/speech/meetings.ts'
import { PATIENCE_MS, waitUntil } from '../../support/stack/process.ts'
import { jobWith } from '../../support/runs/runs.ts'
import { useScriptedStack } from '../../support/agents/scripted-providers.ts'
import { connectSharedStack, startStack } from '../../support/stack/stack.ts'
import type { MeetingView } from '../../../contract/speech/meeting.ts'

const context = useScriptedStack()

const segmentsOf = (events: { data: JobEvent }[]) =>
  events.flatMap(({ data }) => (data.type === 'segment' ? [data] : []))
const isSegment = (seq: number) => (event: JobEvent) => event.type === 'segment' && event.seq === seq

test('a meeting ends, even with a very long title', async () => {
  const { client } = context.workspace
  for (const title of ['x'.repeat(200), `${'x'.repeat(187)}🦉${'x'.repeat(11)}`]) {
    const meeting = await plan(client, { title })
    context.speech.script({ text: 'Good morning.' })
    await send(client, meeting.id, piece(0))
    const { body } = await endMeeting(client, meeting.id)
    expect(body).toMatchObject({ meeting: { status: 'ended' } })
    const { title: written } = (await client.get<{ title: string }>(`/v1/artifacts/${body.meeting.artifact_id}`)).body
    expect(`Transcript: ${title}`.startsWith(written)).toBe(true)
  }
})

test('a meeting progresses from its plan to its transcript', async () => {
  const { client } = context.workspace
  const meeting = await plan(client, { participants: ['Ann', 'Bo'], path: '/team', starts_at: '2026-03-01T09:00:00Z' })
  expect(meeting).toMatchObject({ title: 'Stand-up', status: 'scheduled', participants: ['Ann', 'Bo'], path: '/team' })
  expect(meeting).toMatchObject({ type: 'meetings', is_active: true, deleted_at: null })
  const stream = await follow(client, meeting.id)

  context.speech.script({ text: 'Good morning.' })
  const taken = await send(client, meeting.id, piece(0, { speaker: 'Ann' }))
  expect(taken).toMatchObject({ status: 202, body: { meeting_id: meeting.id, seq: 0 } })
  const first = await followUntil(stream, isSegment(0))
  expect(segmentsOf(first)).toEqual([
    { type: 'segment', seq: 0, text: 'Good morning.', speaker: 'Ann', start: 0, end: expect.closeTo(11, 0) },
  ])
  expect((await client.get<MeetingView>(`/v1/meetings/${meeting.id}`)).body.status).toBe('live')
  expect(await getTranscript(client, meeting.id)).toMatchObject({
    status: 'live',
    text: 'Good morning.',
    pending: 0,
    failed: [],
  })

  context.speech.script({ text: 'The budget for the aquarium is approved.', delay_ms: 500 })
  await send(client, meeting.id, piece(1, { speaker: 'Bo' }))
  const { status, body } = await endMeeting(client, meeting.id)
  expect(status).toBe(200)
  expect(body).toMatchObject({ meeting: { status: 'ended', ended_at: expect.any(String) }, job_id: taken.body.job_id })

  const rest = await followUntil(stream)
  const artifact_id = body.meeting.artifact_id ?? ''
  expect(segmentsOf(rest)).toMatchObject([{ seq: 1, speaker: 'Bo' }])
  expect(rest.map(({ data }) => data).filter(({ type }) => type === 'ended' || type === 'complete')).toMatchObject([
    { type: 'ended', artifact_id },
    { type: 'complete', result: { meeting_id: meeting.id, artifact_id, segments: 2, failed: 0 } },
  ])

  expect((await client.get(`/v1/artifacts/${artifact_id}`)).body).toMatchObject({
    title: 'Transcript: Stand-up',
    path: '/team',
    metadata: { meeting_id: meeting.id },
  })
  expect((await client.get(`/v1/artifacts/${artifact_id}/content`)).body).toBe(
    '**[0:00] Ann:** Good morning.\n\n**[0:11] Bo:** The budget for the aquarium is approved.\n',
  )
  expect(await getTranscript(client, meeting.id)).toMatchObject({
    status: 'ended',
    artifact_id,
    segments: [
      { seq: 0, speaker: 'Ann', start: 0 },
      { seq: 1, speaker: 'Bo', start: expect.closeTo(11, 0) },
    ],
  })
  await waitUntil(async () => {
    const query = { query: 'aquarium', mode: 'keyword', types: ['meetings', 'artifacts'] }
    const found = await client.post<{ matches: { resource_id: string }[] }>('/v1/search', query)
    const ids = new Set(found.body.matches.map(({ resource_id }) => resource_id))
    return ids.has(meeting.id) && ids.has(artifact_id)
  })
})

test('pieces may arrive in any order, and get their times once the times are known', async () => {
  const { id } = await plan(context.workspace.client)
  context.speech.script({ text: 'three' })
  await send(context.workspace.client, id, piece(2))
  const stream = await follow(context.workspace.client, id)
  expect(segmentsOf(await followUntil(stream, isSegment(2)))).toEqual([{ type: 'segment', seq: 2, text: 'three' }])
  context.speech.script({ text: 'one' })
  await send(context.workspace.client, id, piece(0))
  await followUntil(stream, isSegment(0))
  context.speech.script({ text: 'two' })
  await send(context.workspace.client, id, piece(1))
  await followUntil(stream, isSegment(1))
  const { text, segments } = await getTranscript(context.workspace.client, id)
  expect(text).toBe('one two three')
  expect(segments.map(({ start }) => Math.round(start ?? -1))).toEqual([0, 11, 22])
  await stream.return(undefined)
})

test('a repeated piece counts as the same piece, and different bytes replace it until the meeting ends', async () => {
  const { id } = await plan(context.workspace.client)
  const requestsBefore = context.speech.requests.length
  context.speech.script({ text: 'first take' })
  const answers = [
    await send(context.workspace.client, id, piece(0)),
    await send(context.workspace.client, id, piece(0)),
  ]
  expect(answers[1]).toMatchObject({ status: 202, body: answers[0]?.body })
  await waitUntil(async () => (await getTranscript(context.workspace.client, id)).text === 'first take')
  expect((await send(context.workspace.client, id, piece(0))).body).toEqual(answers[0]?.body)
  expect(context.speech.requests).toHaveLength(requestsBefore + 1)

  context.speech.script({ text: 'second take' })
  const other = await send(context.workspace.client, id, piece(0, { tag: 9 }))
  expect(other.body.sha256).not.toBe(answers[0]?.body.sha256)
  await waitUntil(async () => (await getTranscript(context.workspace.client, id)).text === 'second take')

  expect(await endMeeting(context.workspace.client, id)).toMatchObject({
    status: 200,
    body: { meeting: { status: 'ended' } },
  })
  expect(await send(context.workspace.client, id, piece(0, { tag: 10 }))).toMatchObject({
    status: 409,
    body: { code: 'CONFLICT' },
  })
  expect((await getTranscript(context.workspace.client, id)).text).toBe('second take')
  const again = await endMeeting(context.workspace.client, id)
  expect(again).toMatchObject({ status: 200, body: { job_id: null, meeting: { status: 'ended' } } })
})

test('a piece that is replaced while it is being transcribed does not reappear', async () => {
  const { id } = await plan(context.workspace.client)
  context.speech.script({ text: 'too late', delay_ms: 1_500 }, { text: 'in its place' })
  await send(context.workspace.client, id, piece(0))
  await waitUntil(() => context.speech.requests.at(-1)?.file.bytes.at(-1) === 0)
  await send(context.workspace.client, id, piece(0, { tag: 5 }))
  await endMeeting(context.workspace.client, id)
  expect((await getTranscript(context.workspace.client, id)).text).toBe('in its place')
})

test('a client that reconnects continues where it stopped', async () => {
  const { id } = await plan(context.workspace.client)
  context.speech.script({ text: 'one' }, { text: 'two' })
  await send(context.workspace.client, id, piece(0))
  const first = await followUntil(await follow(context.workspace.client, id), isSegment(0))
  const last = first.at(-1)?.id ?? ''
  await send(context.workspace.client, id, piece(1))
  await endMeeting(context.workspace.client, id)
  const after = await followUntil(await follow(context.workspace.client, id, `?after=${last}`))
  expect(segmentsOf(after).map(({ seq }) => seq)).toEqual([1])
  const byHeader = await followUntil(
    await follow(context.workspace.client, id, '', { headers: { 'Last-Event-ID': last } }),
  )
  expect(byHeader.map(({ id }) => id)).toEqual(after.map(({ id }) => id))
  expect(after.at(-1)?.data.type).toBe('complete')
})

test('a piece that cannot be transcribed is reported, and the other pieces are transcribed', async () => {
  const { id } = await plan(context.workspace.client)
  context.speech.script({ text: 'one' })
  await send(context.workspace.client, id, piece(0))
  await waitUntil(async () => (await getTranscript(context.workspace.client, id)).text === 'one')
  context.speech.script({ status: 400 })
  await send(context.workspace.client, id, piece(1))
  const stream = await follow(context.workspace.client, id)
  expect(segmentsOf(await followUntil(stream, isSegment(1))).at(-1)).toMatchObject({
    seq: 1,
    text: '',
    error: { code: 'SPEECH_REFUSED_AUDIO' },
  })
  context.speech.script({ text: 'three' })
  await send(context.workspace.client, id, piece(2))
  await endMeeting(context.workspace.client, id)
  expect(await getTranscript(context.workspace.client, id)).toMatchObject({
    text: 'one three',
    failed: [{ seq: 1, code: 'SPEECH_REFUSED_AUDIO' }],
  })
  await stream.return(undefined)
})

test('a meeting without speech ends without a document', async () => {
  const { id } = await plan(context.workspace.client)
  const { status, body } = await endMeeting(context.workspace.client, id)
  expect({ status, meeting: body.meeting }).toMatchObject({ status: 200, meeting: { status: 'ended' } })
  expect(body.meeting.artifact_id).toBeUndefined()
  expect(await getTranscript(context.workspace.client, id)).toMatchObject({ text: '', segments: [] })
})

test('cancelling a job does not end the meeting, because another job continues it', async () => {
  const { id } = await plan(context.workspace.client)
  context.speech.script({ text: 'one' })
  const { body: first } = await send(context.workspace.client, id, piece(0))
  await waitUntil(async () => (await getTranscript(context.workspace.client, id)).text === 'one')
  await context.workspace.client.post(`/v1/jobs/${first.job_id}/cancel`)
  context.speech.script({ text: 'two' })
  const { status, body: second } = await send(context.workspace.client, id, piece(1))
  expect(status).toBe(202)
  expect(second.job_id).not.toBe(first.job_id)
  await endMeeting(context.workspace.client, id)
  expect((await getTranscript(context.workspace.client, id)).text).toBe('one two')
})

test('a deleted meeting is no longer transcribed', async () => {
  const { id } = await plan(context.workspace.client)
  const before = context.speech.requests.length
  context.speech.script({ instead: 'hang' })
  const { body } = await send(context.workspace.client, id, piece(0))
  // Without this wait, the reply would remain for a later test.
  await waitUntil(() => context.speech.requests.length > before)
  expect((await context.workspace.client.del(`/v1/meetings/${id}`)).status).toBe(204)
  expect(await jobWith(context.workspace.client, body.job_id)).toMatchObject({ status: 'failed', kind: 'meeting' })
  expect((await send(context.workspace.client, id, piece(1))).status).toBe(404)
  expect((await context.workspace.client.get(`/v1/meetings/${id}/stream`)).status).toBe(404)
})

test('a deleted meeting can be restored', async () => {
  const { id, title } = await plan(context.workspace.client)
  expect((await context.workspace.client.post(`/v1/meetings/${id}/restore`)).status).toBe(200)
  await context.workspace.client.del(`/v1/meetings/${id}`)
  expect((await context.workspace.client.get(`/v1/meetings/${id}`)).status).toBe(404)
  const restored = await context.workspace.client.post<MeetingView>(`/v1/meetings/${id}/restore`)
  expect(restored).toMatchObject({ status: 200, body: { id, title, version: 1 } })
  expect((await context.workspace.client.get(`/v1/meetings/${id}`)).status).toBe(200)
})

test('meetings can be listed and changed, and invalid requests are rejected', async () => {
  const { client } = context.workspace
  const meeting = await plan(client, { title: 'Quarterly' })
  const changed = await client.patch<MeetingView>(`/v1/meetings/${meeting.slug}`, {
    title: 'Quarterly review',
    participants: ['Cy'],
    expected_version: 1,
  })
  expect(changed).toMatchObject({ status: 200, body: { title: 'Quarterly review', participants: ['Cy'], version: 2 } })
  const stale = await client.patch(`/v1/meetings/${meeting.id}`, { title: 'x', expected_version: 1 })
  expect(stale).toMatchObject({ status: 409, body: { code: 'CONFLICT' } })
  const { body } = await client.get<{ data: MeetingView[] }>('/v1/meetings?limit=1')
  expect(body.data).toMatchObject([{ id: meeting.id, title: 'Quarterly review' }])
  expect((await client.patch(`/v1/meetings/${meeting.id}`, { status: 'ended' })).status).toBe(400)
  for (const wrong of [{ seq: -1 }, { seq: 1.5 }, { seq: undefined }, { start: -1 }, { mime_type: undefined }])
    expect(await send(client, meeting.id, { ...piece(0), ...wrong })).toMatchObject({ status: 400 })
  expect((await send(client, meeting.id, { ...piece(0), mime_type: 'audio/wav' })).status).toBe(400)
  const stranger = await context.stack.workspace()
  for (const refused of [
    await send(stranger.client, meeting.id, piece(0)),
    await endMeeting(stranger.client, meeting.id),
    await stranger.client.get(`/v1/meetings/${meeting.id}/transcript`),
    await stranger.client.get(`/v1/meetings/${meeting.id}/stream`),
  ])
    expect(refused.status).toBe(404)
})

test('speech is transcribed, stored and found with the real speech service', async () => {
  const real = await connectSharedStack()
  const { client } = await real.workspace()
  const { id } = await plan(client, { title: 'Inauguration' })
  const stream = await follow(client, id, '', { signal: AbortSignal.timeout(PATIENCE_MS) })
  await send(client, id, piece(0, { format: 'ogg', speaker: 'President' }))
  const told = segmentsOf(await followUntil(stream, isSegment(0)))
  expect(told.at(-1)?.text).toMatch(SAID)
  const { body } = await endMeeting(client, id)
  expect((await client.get(`/v1/artifacts/${body.meeting.artifact_id}/content`)).body).toMatch(SAID)
  await waitUntil(async () => {
    const query = { query: 'what can you do for your country', types: ['meetings'] }
    const found = await client.post<{ matches: { resource_id: string }[] }>('/v1/search', query)
    return found.body.matches[0]?.resource_id === id
  })
  await real.stop()
})

test('a meeting without new audio ends automatically', async () => {
  const quiet = await startStack({ env: { SPEECH_URL: context.speech.base_url, MEETING_IDLE_MINUTES: '0.02' } })
  const { client } = await quiet.workspace()
  const { id } = await plan(client)
  context.speech.script({ text: 'Is anybody there?' })
  const { body } = await send(client, id, piece(0))
  await jobWith(client, body.job_id, 'completed')
  expect(await getTranscript(client, id)).toMatchObject({ status: 'ended', text: 'Is anybody there?' })
  expect((await send(client, id, piece(1))).status).toBe(409)
  await quiet.stop()
})
