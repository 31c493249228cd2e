import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { Client, Connection } from '@temporalio/client'
import { execute, select } from '../../../data/shared/statements.ts'
import { type Columns, pick } from '../../../data/shared/table.ts'
import { credentialsTable } from '../../../data/access/tables.ts'
import { auditLogTable } from '../../../data/audit/tables.ts'
import { channelMessagesTable } from '../../../data/channels/tables.ts'
import { buildScheduleId } from '../../../services/audit/retention/schedule.ts'
import type { RetentionResult } from '../../../workflows/audit/retention-messages.ts'
import { useOwnAgents } from '../../support/agents/agents.ts'
import type { ApiClient } from '../../support/clients/client.ts'
import { ingest, readAsset } from '../../support/documents/documents.ts'
import { findMarker, isIndexed } from '../../support/shared/find-marker.ts'
import { waitUntil } from '../../support/stack/process.ts'
import { jobWith, pathway } from '../../support/runs/runs.ts'

/** The schedule removes expired data, but nothing that is still referenced. */

const context = useOwnAgents({ PAYLOAD_INLINE_BYTES: '1024', RETENTION_AUDIT_DAYS: '365' })

interface Made {
  id: string
  job_id: string
  trace_id: string
  asset: { id: string }
}

const newMarker = () => `marker${randomBytes(6).toString('hex')}`
const findAll = (marker: string) => findMarker(context.stack, context.workspace.id, marker)
/** Runs a statement. Returns the number of rows that it wrote or returned. */
const inside = (statement: string, parameters: unknown[] = []) =>
  context.stack.database.db.inWorkspace(context.workspace.id, tx => execute(tx, statement, parameters))
const read = <C extends Columns>(columns: C, statement: string, parameters: unknown[] = []) =>
  context.stack.database.db.inWorkspace(context.workspace.id, tx => select(tx, columns, statement, parameters))

const echo = (text: string) => pathway([{ id: 'say', type: 'transform', with: { value: JSON.stringify(text) } }])

async function withTemporal<T>(work: (client: Client) => Promise<T>): Promise<T> {
  const { env } = context.stack
  const connection = await Connection.connect({ address: env['TEMPORAL_ADDRESS'] })
  try {
    return await work(new Client({ connection, namespace: env['TEMPORAL_NAMESPACE'] }))
  } finally {
    await connection.close()
  }
}

/** Triggers the schedule that the worker created. Returns the result of its run. */
const runRetention = (): Promise<RetentionResult> =>
  withTemporal(async client => {
    const schedule = client.schedule.getHandle(
      buildScheduleId({ taskQueue: context.stack.env['TEMPORAL_TASK_QUEUE'] ?? '' }),
    )
    const countRuns = async () => (await schedule.describe()).info.numActionsTaken
    const before = await countRuns()
    await schedule.trigger()
    await waitUntil(async () => (await countRuns()) > before)
    const last = (await schedule.describe()).info.recentActions.at(-1)
    if (last?.action.type !== 'startWorkflow') throw new Error('the schedule starts a workflow')
    return client.workflow.getHandle(last.action.workflow.workflowId).result() as Promise<RetentionResult>
  })

/** Makes finished runs, deletions and all other data look older. */
async function age(days: number): Promise<void> {
  const by = `make_interval(days => ${days})`
  for (const [table, columns] of Object.entries({
    jobs: ['created_at', 'processed_at', 'finished_at'],
    traces: ['created_at', 'updated_at', 'deleted_at'],
    resources: ['created_at', 'deleted_at'],
    contents: ['created_at'],
    idempotency_keys: ['expires_at'],
    usage_events: ['at'],
    trigger_firings: ['created_at'],
  }))
    await inside(`update ${table} set ${columns.map(column => `${column} = ${column} - ${by}`).join(', ')}`)
}

/** Reads every resource that a client can read, and returns the response bodies. */
async function readAll(client: ApiClient, paths: string[]): Promise<Record<string, unknown>> {
  const read: Record<string, unknown> = {}
  for (const path of paths) {
    const { status, body } = await client.get<unknown>(path)
    read[path] = { status, body }
  }
  return read
}

const choose = <T>(list: T[]): T => list[Math.floor(Math.random() * list.length)] as T

test('the schedule exists, never overlaps with itself, and is not written twice', async () => {
  const id = buildScheduleId({ taskQueue: context.stack.env['TEMPORAL_TASK_QUEUE'] ?? '' })
  const described = await withTemporal(client => client.schedule.getHandle(id).describe())
  expect(described.policies.overlap).toBe('SKIP')
  expect(described.spec.intervals).toMatchObject([{ every: 86_400_000 }])
  await context.stack.restartWorker()
  const again = await withTemporal(client => client.schedule.getHandle(id).describe())
  expect(again.spec).toEqual(described.spec)
})

test('expired runs, threads and deleted resources are removed from all stores', async () => {
  const { client } = context.workspace
  const marker = newMarker()
  const long = `${marker} ${'says it. '.repeat(300)}`
  context.plays(marker, { tokens: ['You said ', marker] })
  // The slug becomes part of a job id, which the usage and the audit log keep.
  await context.neuron({ slug: 'clerk', instructions: marker })
  const child = await client.post<Made>('/v1/pathways', { title: 'Child', definition: echo(marker) })
  const parent = pathway([{ id: 'call', type: 'pathway', ref: child.body.id }])
  const run = await client.post<Made>('/v1/jobs', { pathway: parent, input: { text: long } })
  await jobWith(client, run.body.job_id)
  const said = await client.post<Made>('/v1/chat/new', {
    message: long,
    neuron: 'clerk',
    neuron_task_options: { trace_type: 'system' },
  })
  await jobWith(client, said.body.job_id)
  const fired = { type: 'pathway', ref: child.body.id }
  const { body: trigger } = await client.post<Made>('/v1/triggers', { title: 'Fires', target: fired })
  const firing = await client.post<Made>(`/v1/triggers/${trigger.id}/fire`, { input: {} })
  await jobWith(client, firing.body.job_id)
  const skill = await client.post<Made>('/v1/skills', { title: marker, instructions: long })
  const artifact = await client.post<Made>('/v1/artifacts', { title: marker, content: long })
  const { body: document } = await ingest(client, { text: `<p>${long}</p>`, mime_type: 'text/html', title: marker })
  await readAsset(client, document.asset.id)
  await waitUntil(() => isIndexed(context.stack, marker))
  for (const [kind, id] of [
    ['skills', skill.body.id],
    ['artifacts', artifact.body.id],
    ['assets', document.asset.id],
    ['pathways', child.body.id],
    ['neurons', 'clerk'],
  ])
    await client.del(`/v1/${kind}/${id}`)
  await client.post('/v1/skills', { title: 'Keyed', instructions: 'One.' }, { headers: { 'Idempotency-Key': marker } })

  await age(100)
  const first = await runRetention()
  expect(first).toMatchObject({ failed: [], removed: { threads: 1, resources: 5, keys: 1 } })
  expect(first.removed.jobs).toBeGreaterThanOrEqual(3)
  // The heads are removed once the search index has removed them, and the asset's job after the asset.
  let places: string[] = []
  const findLeft = async () => {
    await age(100)
    await runRetention()
    places = await findAll(marker)
    return places.length === 0
  }
  // Temporal deletes histories some time after the request.
  await waitUntil(findLeft, 240_000, () => `left: ${places.join(', ')}`)
  for (const id of [run.body.job_id, said.body.job_id]) expect((await client.get(`/v1/jobs/${id}`)).status).toBe(404)
  // A head is removed once the search index has removed it, and a firing once its run is known to have started.
  await waitUntil(async () => {
    await age(100)
    await runRetention()
    const heads = await inside('select from resources where id = $1', [skill.body.id])
    const firings = await client.get<{ data: object[] }>(`/v1/triggers/${trigger.id}/runs`)
    return heads === 0 && firings.body.data.length === 0
  })
  const [entry] = await read(
    pick(auditLogTable, 'actor', 'action', 'request_id'),
    'select actor, action, request_id from audit_log where target = $1 order by id desc',
    [run.body.job_id],
  )
  expect(entry).toMatchObject({ actor: 'retention', action: 'job.expire' })
})

test('contents and vectors without references are removed, and those with a reference are kept', async () => {
  const { client } = context.workspace
  const bytes = Buffer.from(`kept ${newMarker()}`)
  const { body: kept } = await client.post<Made>('/v1/artifacts', { title: 'Kept', content: bytes.toString() })
  const orphan = createHash('sha256').update(randomUUID()).digest('hex')
  await inside(`insert into contents (sha256, size, bytes) values ($1, 3, 'abc')`, [orphan])
  await inside(`insert into extractions (sha256, media_type) values ($1, 'text/html')`, [orphan])
  await inside(`insert into chunk_vectors (model, sha256, vector) values ('m', $1, '')`, [orphan])
  const { removed } = await runRetention()
  expect(removed).toMatchObject({ contents: 1, vectors: 1 })
  for (const table of ['contents', 'extractions', 'chunk_vectors'])
    expect(await inside(`select from ${table} where sha256 = $1`, [orphan])).toBe(0)
  expect((await client.get<string>(`/v1/artifacts/${kept.id}/content`)).body).toBe(bytes.toString())
})

test('credentials are removed 30 days after their end, and not before', async () => {
  const names = ['session that expired', 'key that was revoked', 'link of yesterday', 'key without an end']
  /** The kind, and how long ago the credential was revoked and has expired. */
  const ends = [
    ['session', null, '31 days'],
    ['api_key', '31 days', null],
    ['sign_in_link', null, '1 day'],
    ['api_key', null, null],
  ]
  for (const [i, [kind, revoked, expired]] of ends.entries())
    await inside(
      `insert into credentials (id, kind, name, prefix, hmac, revoked_at, expires_at)
       values (gen_random_uuid(), $1, $2, $3, '', now() - $4::interval, now() - $5::interval)`,
      [kind, names[i], newMarker(), revoked, expired],
    )
  const { removed } = await runRetention()
  expect(removed).toMatchObject({ credentials: 2 })
  const left = await read(
    pick(credentialsTable, 'name'),
    'select name from credentials where name = any($1) order by name',
    [names],
  )
  expect(left.map(({ name }) => name)).toEqual(['key without an end', 'link of yesterday'])
  expect((await context.workspace.client.get('/v1/jobs')).status).toBe(200)
})

test('old log entries of channels are removed, except those about open runs', async () => {
  const { client } = context.workspace
  const wait = pathway([{ id: 'wait', type: 'wait', event: 'go', timeout: 'P30D' }])
  const open = await client.post<Made>('/v1/jobs', { pathway: wait })
  await inside(
    `with channel as (
       insert into channels (id, name, type, settings, credentials, created_by, updated_by)
       values (gen_random_uuid(), 'support', 'slack', '{}', '', 'user:ann', 'user:ann') returning id)
     insert into channel_messages (id, channel_id, job_id, recipient, conversation, status, updated_at, start_due_at)
     select gen_random_uuid(), channel.id, message.job_id, 'user:ann', 'D01', 'sent', now() - days * interval '1 day', null
       from channel, (values ('ended', 91), ('recent', 89), ($1, 91)) as message (job_id, days)`,
    [open.body.job_id],
  )
  const { removed } = await runRetention()
  expect(removed).toMatchObject({ channel_messages: 1 })
  const left = await read(pick(channelMessagesTable, 'job_id'), 'select job_id from channel_messages')
  expect(new Set(left.map(({ job_id }) => job_id))).toEqual(new Set(['recent', open.body.job_id]))
  await client.post(`/v1/jobs/${open.body.job_id}/cancel`)
})

test('without a search index, changes do not wait for it', async () => {
  const { stack, workspace } = context
  const { ELASTICSEARCH_URL = '' } = stack.env
  delete stack.env['ELASTICSEARCH_URL']
  await stack.restartWorker()
  try {
    await workspace.client.post('/v1/skills', { title: newMarker(), instructions: 'One.' })
    expect(await inside('select from search_outbox')).toBeGreaterThan(0)
    const { removed } = await runRetention()
    expect(removed.index_entries).toBeGreaterThan(0)
    expect(await inside('select from search_outbox')).toBe(0)
  } finally {
    Object.assign(stack.env, { ELASTICSEARCH_URL })
    await stack.restartWorker()
  }
})

test('referenced data is unchanged after retention has deleted the rest', async () => {
  const { client } = context.workspace
  const texts = Array.from({ length: 4 }, () => `${newMarker()} is shared by some of these.`)
  context.plays('Hello', { tokens: ['Yes.'] })
  const neuron = await context.neuron({ slug: `n-${newMarker()}` })
  const paths: string[] = []
  const deletable: string[] = []
  for (let i = 0; i < 12; i++) {
    const text = choose(texts)
    const { body: artifact } = await client.post<Made>('/v1/artifacts', { title: `Artifact ${i}`, content: text })
    await client.patch(`/v1/artifacts/${artifact.id}`, { content: { append: choose(texts) } })
    const {
      body: { asset },
    } = await ingest(client, { text, title: `Asset ${i}`, source_key: `${i}-${choose(['a', 'b'])}` })
    const { body: skill } = await client.post<Made>('/v1/skills', { title: `Skill ${i}`, instructions: text })
    const own = [
      [
        `/v1/artifacts/${artifact.id}`,
        `/v1/artifacts/${artifact.id}/content`,
        `/v1/artifacts/${artifact.id}/content?version=1`,
      ],
      [`/v1/assets/${asset.id}`, `/v1/assets/${asset.id}/content`],
      [`/v1/skills/${skill.id}`, `/v1/skills/${skill.id}/history`],
    ]
    for (const reads of own)
      if (Math.random() < 0.4) deletable.push(reads[0] ?? '')
      else paths.push(...reads)
  }
  const { body: html } = await ingest(client, { text: `<p>${texts[0]}</p>`, mime_type: 'text/html', title: 'A page' })
  await readAsset(client, html.asset.id)
  const chat = await client.post<Made>('/v1/chat/new', { message: 'Hello', neuron })
  await jobWith(client, chat.body.job_id)
  const ask = pathway([{ id: 'wait', type: 'wait', event: 'go', timeout: 'P30D' }])
  const open = await client.post<Made>('/v1/jobs', { pathway: ask })
  await jobWith(client, open.body.job_id, 'waiting')
  const recent = await client.post<Made>('/v1/jobs', { pathway: echo('recent') })
  await jobWith(client, recent.body.job_id)
  await client.post('/v1/recollections', { neuron, text: texts[1] })
  for (const path of new Set(deletable)) await client.del(path)
  await inside(`update resources set deleted_at = deleted_at - make_interval(days => 100)`)
  await inside(
    `update jobs set finished_at = finished_at - make_interval(days => 100), created_at = created_at - make_interval(days => 100)
                 where job_id <> $1`,
    [recent.body.job_id],
  )
  const deleted = new Set(deletable.map(path => path.split('/').at(-1)))
  const kept = [
    ...new Set(paths.filter(path => ![...deleted].some(id => path.includes(id ?? '')))),
    `/v1/assets/${html.asset.id}`,
    `/v1/assets/${html.asset.id}/content`,
    `/v1/traces/${chat.body.trace_id}`,
    `/v1/jobs/${chat.body.job_id}`,
    `/v1/jobs/${open.body.job_id}`,
    `/v1/jobs/${recent.body.job_id}`,
    `/v1/recollections?neuron=${neuron}`,
    `/v1/neurons/${neuron}`,
  ]
  const before = await readAll(client, kept)
  expect(Object.values(before).map(read => (read as { status: number }).status)).toEqual(kept.map(() => 200))
  await runRetention()
  await runRetention()
  expect(await readAll(client, kept)).toEqual(before)
  await client.post(`/v1/jobs/${open.body.job_id}/resume`, { event: 'go' })
  expect(await jobWith(client, open.body.job_id)).toMatchObject({ status: 'completed' })
})

test('the audit log loses no entry younger than a year, even if the app requests it', async () => {
  const before = await inside('select from audit_log')
  await inside('select expire_audit_log(now(), 1000000)')
  await runRetention()
  const after = await inside('select from audit_log')
  expect(after).toBeGreaterThanOrEqual(before)
})
