import { randomBytes, randomUUID } from 'node:crypto'
import { Client, Connection } from '@temporalio/client'
import { select } from '../../../data/shared/statements.ts'
import { pick } from '../../../data/shared/table.ts'
import { auditLogTable } from '../../../data/audit/tables.ts'
import { savePayloads } from '../../../data/runs/payload-store.ts'
import { saveMessages } from '../../../data/agents/trace-messages-store.ts'
import type { PurgeResult, PurgeTarget } from '../../../domain/audit/purge.ts'
import { createSigner } from '../../../services/people/evidence/signer.ts'
import { createProjections } from '../../../services/runs/projections.ts'
import { useOwnAgents } from '../../support/agents/agents.ts'
import type { Answer } from '../../support/clients/client.ts'
import { ingest, readAsset } from '../../support/documents/documents.ts'
import { findMarker, isIndexed } from '../../support/shared/find-marker.ts'
import { audioBody } from '../../support/speech/audio.ts'
import { endMeeting, plan, send } from '../../support/speech/meetings.ts'
import { waitUntil } from '../../support/stack/process.ts'
import { answer, asked, readEvents, jobWith, pathway } from '../../support/runs/runs.ts'
import { transcribe } from '../../support/agents/transcripts.ts'
import { startWebhookEndpoint } from '../../support/webhooks/webhook-endpoint.ts'

/** Payloads of a few kilobytes are stored in Postgres. */
const context = useOwnAgents({ PAYLOAD_INLINE_BYTES: '1024' })

const TABLES = [
  'interventions',
  'job_nodes',
  'jobs',
  'resource_versions',
  'resources',
  'run_payloads',
  'text_chunks',
  'trace_messages',
  'traces',
  'vote_texts',
]

const newMarker = () => `marker${randomBytes(6).toString('hex')}`
const findAll = (marker: string) => findMarker(context.stack, context.workspace.id, marker)
interface Accepted {
  job_id: string
  trace_id: string
}
const chat = (traceId: string, body: object, headers?: Record<string, string>) =>
  context.workspace.client.post<Accepted>(`/v1/chat/${traceId}`, body, { headers })

async function purged({ status, body, headers }: Answer<{ job_id: string }>): Promise<PurgeResult['removed']> {
  expect([status, body, headers.get('location')]).toEqual([
    202,
    { job_id: body.job_id, status: 'pending' },
    `/v1/jobs/${body.job_id}`,
  ])
  const job = await jobWith(context.workspace.client, body.job_id)
  expect(job).toMatchObject({ kind: 'purge', status: 'completed' })
  return (job.result as unknown as PurgeResult).removed
}

const audited = (target: string) =>
  context.stack.database.db.inWorkspace(context.workspace.id, tx =>
    select(
      tx,
      pick(auditLogTable, 'action', 'details'),
      'select action, details from audit_log where target = $1 order by id',
      [target],
    ),
  )

beforeAll(async () => {
  const { client } = context.workspace
  const echo = pathway([{ id: 'done', type: 'end', output: { text: 'You said ${input.message}' } }])
  const ask = pathway(
    [
      { id: 'ask', type: 'human', kind: 'approval', title: 'Is this so: ${input.message}' },
      { id: 'done', type: 'end' },
    ],
    'ask.approve > done',
    'ask.reject > done',
  )
  const input = { type: 'object', properties: { message: { type: 'string' } } }
  for (const [slug, definition] of Object.entries({ echo, ask }))
    await client.post('/v1/pathways', { title: slug, slug, definition: { ...definition, input } })
  await client.post('/v1/reflexes', { title: 'Echo', slug: 'echoing', source: 'pathway', target: 'echo' })
  const tools = [{ name: 'remember' }, { name: 'ask_human' }]
  await client.post('/v1/reflexes', { title: 'Own', slug: 'own', source: 'builtin', tools })
  await context.neuron({ slug: 'clerk', neuron_type: 'agent', tools: [{ reflex: 'own' }, { reflex: 'echoing' }] })
})

describe('a deleted thread', () => {
  test('leaves no content behind: in jobs, child runs, streams, memory, search and histories', async () => {
    const { client, id } = context.workspace
    const marker = newMarker()
    const text = `My pin is ${marker}. ${'Keep it. '.repeat(200)}`
    const { body: offered } = await client.get<{ data: { name: string; source: string }[] }>('/v1/tools')
    const echo = offered.data.find(({ source }) => source === 'pathway')
    context.plays(
      marker,
      {
        calls: [
          { name: 'remember', args: { text } },
          { name: echo?.name ?? '', args: { message: text } },
          { name: 'ask_human', args: { question: `Is ${marker} right?` } },
        ],
      },
      { tokens: ['Your pin is ', marker] },
    )
    const { body } = await chat('new', { message: text, neuron: 'clerk' })
    const [question] = await asked(client, body.job_id)
    await answer(client, id, body.job_id, question?.interventionId ?? '', {
      action: 'answer_questions',
      answers: { answer: `yes, ${marker}` },
    })
    const before = await jobWith(client, body.job_id)
    const second = await chat(body.trace_id, { message: `Again: ${text}`, pathway: 'echo' })
    await jobWith(client, second.body.job_id)
    const stores = async () => new Set((await findAll(marker)).map(place => place.replace(/: .*-.*/, '')))
    await waitUntil(() => isIndexed(context.stack, marker))
    expect([...(await stores())]).toEqual(expect.arrayContaining(TABLES.map(table => `postgres: ${table}`)))
    expect([...(await stores())]).toEqual(expect.arrayContaining(['redis', 'temporal']))

    const removed = await purged(await client.del(`/v1/traces/${body.trace_id}`))
    expect(removed).toMatchObject({ jobs: 3, interventions: 1, resources: 1, versions: 1 })
    expect(await findAll(marker)).toEqual([])

    expect((await client.get(`/v1/traces/${body.trace_id}`)).status).toBe(404)
    expect((await chat(body.trace_id, { message: 'And now?' })).status).toBe(404)
    const { status, usage, created_at, finished_at, requester } = before
    const after = await jobWith(client, body.job_id)
    expect(after).toMatchObject({ status, usage, created_at, finished_at, requester, nodes: [], result: null })
    expect(after.purged_at).not.toBeNull()
    expect((await readEvents(client, body.job_id)).at(-1)?.data).toEqual({ type: 'complete', result: null })
    expect((await client.get(`/v1/interventions/${question?.interventionId}`)).status).toBe(404)
    expect((await audited(body.trace_id)).map(({ action, details }) => [action, details])).toEqual([
      ['trace.create', {}],
      ['trace.delete', {}],
      ['trace.purge', expect.objectContaining({ removed })],
    ])
  })

  test('removes the runs that its messages started, with their approvals and the data of triggers and routers', async () => {
    const { client, id: workspaceId } = context.workspace
    const marker = newMarker()
    await context.neuron({ slug: `router-${marker.slice(-6)}` })
    context.plays(marker, { tokens: ['yes'] })
    const listen = async (fields: object, chat: object) => {
      const target = { type: 'pathway', ref: 'ask' }
      const trigger = {
        title: 'Listens',
        trigger_type: 'chat',
        target,
        input: { message: '${event.message}' },
        chat,
        ...fields,
      }
      const made = await client.post<{ id: string }>('/v1/triggers', trigger)
      expect([made.status, made.body]).toMatchObject([201, {}])
      return made.body.id
    }
    const phrases = ['money back']
    const triggers = [
      await listen({}, { phrases }),
      await listen({ filter: 'false' }, { phrases }),
      await listen({}, { phrases, router: { neuron: `router-${marker.slice(-6)}` } }),
    ]
    const { body } = await chat('new', { message: `I want my money back: ${marker}`, pathway: 'echo' })
    await jobWith(client, body.job_id)
    const listFirings = async (id: string) =>
      (await client.get<{ data: { decision: string; job_id: string | null }[] }>(`/v1/triggers/${id}/runs`)).body.data
    await waitUntil(async () => (await Promise.all(triggers.map(listFirings))).every(({ length }) => length === 1))
    const fired = (await Promise.all(triggers.map(listFirings))).flat()
    expect(fired.map(({ decision }) => decision)).toEqual(['fired', 'filtered', 'fired'])
    const run = fired[0]?.job_id ?? ''
    const [question] = await asked(client, run)
    const id = question?.interventionId ?? ''
    const headers = { 'Idempotency-Key': randomUUID() }
    await client.post(`/v1/interventions/${id}/comments`, { comment: `Who is ${marker}?` }, { headers })
    await answer(client, workspaceId, run, id, { action: 'approve', comment: marker })
    await jobWith(client, run)
    const stores = new Set((await findAll(marker)).map(place => place.replace(/: .*-.*/, '')))
    const tables = ['idempotency_keys', 'interventions', 'jobs', 'trigger_firings', 'vote_texts']
    expect([...stores]).toEqual(expect.arrayContaining(tables.map(table => `postgres: ${table}`)))

    await purged(await client.del(`/v1/traces/${body.trace_id}`))
    expect(await findAll(marker)).toEqual([])
    const { status, body: evidence } = await client.get(`/v1/interventions/${id}/evidence`)
    expect([status, evidence]).toMatchObject([
      200,
      { shown: null, texts: [], document: { votes: [{ signature: {} }] } },
    ])
    for (const trigger of triggers) await client.del(`/v1/triggers/${trigger}`)
  })

  test('stops its open run first, and late writes by that run do not restore the thread', async () => {
    const { client, id: workspace_id } = context.workspace
    const marker = newMarker()
    const { body } = await chat('new', { message: marker, pathway: 'ask' })
    const { job_id, trace_id } = body
    await asked(client, job_id)
    await purged(await client.del(`/v1/traces/${trace_id}`))
    expect(await jobWith(client, job_id)).toMatchObject({ status: 'failed', failedReason: 'failed', nodes: [] })
    expect(await findAll(marker)).toEqual([])

    const { db } = context.stack.database
    const job = { job_id, root_job_id: job_id, workspace_id, people: ['user:ann'], rights: [] }
    const at = new Date().toISOString()
    const milestone = { key: 'a', node_id: 'a', node_type: 'http', status: 'completed' as const, at, output: marker }
    await createProjections({ db, signer: createSigner({}) }).applyNodeCompletion({
      job,
      milestone,
      transcript: marker,
    })
    const message = { trace_id, turn: 1, position: 900, job_id, role: 'assistant' as const, content: { text: marker } }
    await db.inWorkspace(workspace_id, tx => saveMessages(tx, [message]))
    await db.system(tx => savePayloads(tx, job_id, [{ sha256: marker, bytes: Buffer.from(marker) }]))
    expect(await findAll(marker)).toEqual([])
  })

  test('is not restarted by a repeated request', async () => {
    const headers = { 'Idempotency-Key': randomUUID() }
    const say = () => chat('new', { message: 'Once.', pathway: 'echo' }, headers)
    const { body } = await say()
    await jobWith(context.workspace.client, body.job_id)
    await purged(await context.workspace.client.del(`/v1/traces/${body.trace_id}`))
    expect(await say()).toMatchObject({ status: 409, body: { code: 'CONFLICT' } })
  })

  test('is deleted by the workflow if the API stops before the deletion', async () => {
    const { client, id: workspace_id } = context.workspace
    const marker = newMarker()
    const { body } = await chat('new', { message: marker, pathway: 'echo' })
    await jobWith(client, body.job_id)
    const job_id = `purge-${randomUUID()}`
    const job = { job_id, root_job_id: job_id, workspace_id, people: ['user:ann'], rights: [] }
    await startPurge(job, { type: 'trace', id: body.trace_id })
    expect(await findAll(marker)).toEqual([])
    expect((await client.get(`/v1/traces/${body.trace_id}`)).status).toBe(404)
  })
})

async function startPurge(job: object, target: PurgeTarget): Promise<void> {
  const {
    TEMPORAL_ADDRESS: address,
    TEMPORAL_NAMESPACE: namespace,
    TEMPORAL_TASK_QUEUE: taskQueue = '',
  } = context.stack.env
  const connection = await Connection.connect({ address })
  const { workflow } = new Client({ connection, namespace })
  await workflow.execute('purge', {
    taskQueue,
    workflowId: randomUUID(),
    args: [{ job, target, requester: 'user:ann' }],
  })
  await connection.close()
}

/**
 * Finds the places that contain a word from the recording. Redis may contain streams for other files with the same
 * recording.
 */
const findSpoken = async (...jobIds: string[]) =>
  (await findAll('country')).filter(place => !place.startsWith('redis') || jobIds.some(jobId => place.includes(jobId)))

/** Returns the recording with a word appended after its end, which readers ignore. */
function marked(marker: string) {
  const { audio_base64, mime_type } = audioBody('mp3')
  const bytes = Buffer.concat([Buffer.from(audio_base64, 'base64'), Buffer.from(marker)])
  return { audio_base64: bytes.toString('base64'), mime_type }
}

describe('a purged job', () => {
  test('with a transcription leaves neither the recording nor the transcript behind', async () => {
    const { client } = context.workspace
    const marker = newMarker()
    const { body } = await transcribe(client, marked(marker))
    const { body: twin } = await transcribe(client, marked(marker))
    expect(await jobWith(client, body.job_id)).toMatchObject({ status: 'completed' })
    await jobWith(client, twin.job_id)
    expect(await findAll(marker)).toEqual(['postgres: contents'])
    const places = ['postgres: audio_pieces', 'postgres: jobs', expect.stringMatching(/^redis/)]
    expect(await findSpoken(body.job_id)).toEqual(expect.arrayContaining(places))

    const remove = (jobId: string) => client.del<{ job_id: string }>(`/v1/jobs/${jobId}`)
    expect(await purged(await remove(body.job_id))).toMatchObject({ jobs: 1, pieces: 1, contents: 0 })
    expect(await jobWith(client, body.job_id)).toMatchObject({ title: 'transcribe', result: null, nodes: [] })
    expect(await jobWith(client, twin.job_id)).toMatchObject({ result: { text: expect.any(String) } })
    expect(await purged(await remove(twin.job_id))).toMatchObject({ jobs: 1, pieces: 1, contents: 1 })
    expect([...(await findSpoken(body.job_id, twin.job_id)), ...(await findAll(marker))]).toEqual([])
    expect((await audited(twin.job_id)).at(-1)).toMatchObject({ action: 'job.purge' })
  })

  test('removes its child runs, but a job in a thread is left to its thread', async () => {
    const { client } = context.workspace
    const marker = newMarker()
    const definition = pathway(
      [
        { id: 'child', type: 'pathway', ref: 'echo', with: { message: marker } },
        { id: 'done', type: 'end' },
      ],
      'child > done',
    )
    const { body } = await client.post<Accepted>('/v1/jobs', { pathway: definition })
    await jobWith(client, body.job_id)
    const thread = await chat('new', { message: 'Hello.', pathway: 'echo' })
    expect(await client.del(`/v1/jobs/${thread.body.job_id}`)).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining(thread.body.trace_id) },
    })
    expect(await purged(await client.del(`/v1/jobs/${body.job_id}`))).toMatchObject({ jobs: 2 })
    expect(await findAll(marker)).toEqual([])
  })
})

describe('a purged resource', () => {
  const path = (type: string, id: string) => `/v1/resources/${type}/${id}?purge=true`

  test('that is an asset leaves nothing behind, except for bytes shared with another asset', async () => {
    const { client } = context.workspace
    const marker = newMarker()
    const text = `<h1>Pins</h1><p>The pin is ${marker}.</p>`
    const document = { text, mime_type: 'text/html', title: `Pin ${marker}` }
    const { body: one } = await ingest(client, document)
    const { body: other } = await ingest(client, { ...document, scope: 'workspace' })
    await Promise.all([readAsset(client, one.asset.id), readAsset(client, other.asset.id)])

    expect(await purged(await client.del(path('assets', one.asset.id)))).toMatchObject({
      jobs: 1,
      resources: 1,
      contents: 0,
    })
    expect((await client.get(`/v1/assets/${one.asset.id}`)).status).toBe(404)
    expect((await client.post(`/v1/assets/${one.asset.id}/restore`)).status).toBe(404)
    expect((await client.del(path('assets', one.asset.id))).status).toBe(404)
    expect(await jobWith(client, one.job_id ?? '')).toMatchObject({ status: 'completed', title: 'ingest', nodes: [] })
    expect((await client.get(`/v1/assets/${other.asset.id}/content`)).status).toBe(200)
    expect((await readAsset(client, other.asset.id)).extraction.status).toBe('ready')

    expect((await client.del(`/v1/assets/${other.asset.id}`)).status).toBe(204)
    expect((await purged(await client.del(path('assets', other.asset.id)))).contents).toBeGreaterThan(0)
    expect(await findAll(marker)).toEqual([])
    expect((await audited(other.asset.id)).map(({ action }) => action)).toEqual([
      'asset.create',
      'asset.delete',
      'asset.purge',
    ])
    const again = await ingest(client, document)
    expect(again.status).toBe(201)
    expect((await readAsset(client, again.body.asset.id)).extraction.status).toBe('ready')
  })

  test('that is a meeting leaves no recordings, transcripts or streams behind', async () => {
    const { client } = context.workspace
    const marker = newMarker()
    const meeting = await plan(client, { title: `Stand-up ${marker}` })
    const { body: sent } = await send(client, meeting.id, { ...marked(marker), seq: 0, speaker: marker })
    const { body: ended } = await endMeeting(client, meeting.id)
    const artifact = `/v1/artifacts/${ended.meeting.artifact_id}`
    await waitUntil(async () => (await findSpoken()).filter(place => place.startsWith('elasticsearch')).length === 2)
    expect(await findSpoken(sent.job_id)).toEqual(
      expect.arrayContaining(
        ['contents', 'meeting_audio', 'resources', 'text_chunks'].map(table => `postgres: ${table}`),
      ),
    )
    expect((await findAll(marker)).join()).toContain('redis')

    expect((await client.del(`/v1/jobs/${sent.job_id}`)).status).toBe(400)
    const removed = await purged(await client.del(path('meetings', meeting.id)))
    expect(removed).toMatchObject({ jobs: 1, resources: 2, pieces: 2 })
    expect(removed.contents).toBeGreaterThanOrEqual(2)
    expect([...(await findSpoken(sent.job_id)), ...(await findAll(marker))]).toEqual([])
    for (const at of [`/v1/meetings/${meeting.id}`, `/v1/meetings/${meeting.id}/transcript`, artifact])
      expect((await client.get(at)).status).toBe(404)
  })

  test('leaves neither its slug in events nor the endpoint responses behind', async () => {
    const { client } = context.workspace
    const marker = newMarker()
    const endpoint = await startWebhookEndpoint()
    for (let i = 0; i < 3; i++) endpoint.reply('/hook', { status: 200, body: `Thanks for ${marker}` })
    const { body: webhook } = await client.post<{ id: string }>('/v1/webhooks', {
      url: `${endpoint.url}/hook`,
      event_types: ['resource.created'],
    })
    const { body } = await client.post<{ id: string }>('/v1/artifacts', {
      title: marker,
      slug: marker,
      content: 'Text',
    })
    await endpoint.until('/hook', 1)
    await waitUntil(async () => (await findAll(marker)).includes('postgres: webhook_deliveries'))
    expect((await findAll(marker)).join()).toContain('redis')
    await purged(await client.del(path('artifacts', body.id)))
    expect(await findAll(marker)).toEqual([])
    await client.del(`/v1/webhooks/${webhook.id}`)
    await endpoint.close()
  })

  test('with versions leaves none of the versions behind', async () => {
    const { client } = context.workspace
    const marker = newMarker()
    const { body } = await client.post<{ id: string }>('/v1/artifacts', {
      title: `A ${marker}`,
      content: `First ${marker}`,
    })
    await client.patch(`/v1/artifacts/${body.id}`, { content: { append: ' and more' } })
    const { body: made } = await client.post<{ id: string }>('/v1/recollections', {
      neuron: 'clerk',
      text: `Ann: ${marker}`,
    })
    await waitUntil(() => isIndexed(context.stack, marker))
    expect(await purged(await client.del(path('artifacts', body.id)))).toMatchObject({ versions: 2, contents: 2 })
    expect(await purged(await client.del(path('recollections', made.id)))).toMatchObject({ versions: 1, resources: 1 })
    expect(await findAll(marker)).toEqual([])
  })
})
