import { createHmac } from 'node:crypto'
import { Webhook as Verifier } from 'standardwebhooks'
import { execute, select } from '../../../data/shared/statements.ts'
import { pick } from '../../../data/shared/table.ts'
import { auditLogTable } from '../../../data/audit/tables.ts'
import { webhooksTable } from '../../../data/webhooks/tables.ts'
import { followEvents } from '../../support/webhooks/events.ts'
import { waitUntil } from '../../support/stack/process.ts'
import type { TestWorkspace } from '../../support/stack/stack.ts'
import { useStack } from '../../support/stack/use-stack.ts'
import { startWebhookEndpoint, type WebhookEndpoint } from '../../support/webhooks/webhook-endpoint.ts'
import type { DeliveryView } from '../../../contract/webhooks/delivery.ts'
import type { WebhookView, WebhookWithSecret } from '../../../contract/webhooks/webhook.ts'

const context = useStack()
let endpoint: WebhookEndpoint
let paths = 0

beforeAll(async () => {
  endpoint = await startWebhookEndpoint()
})
afterAll(() => endpoint?.close())

const newPath = () => `/hook-${++paths}`

async function createWebhook(
  path: string,
  fields: object = {},
  { client }: TestWorkspace = context.workspace,
): Promise<WebhookWithSecret> {
  const body = { url: endpoint.url + path, event_types: ['webhook.*'], ...fields }
  const reply = await client.post<WebhookWithSecret>('/v1/webhooks', body)
  expect(reply.status).toBe(201)
  return reply.body
}

const createSkill = async (title: string, more: object = {}, { client }: TestWorkspace = context.workspace) =>
  (await client.post<{ id: string }>('/v1/skills', { title, instructions: 'Be brief.', ...more })).body.id

const sendTest = async (id: string) =>
  (await context.workspace.client.post<DeliveryView>(`/v1/webhooks/${id}/test`)).body

async function findDelivery(webhookId: string, id: string): Promise<DeliveryView> {
  const { body } = await context.workspace.client.get<{ data: DeliveryView[] }>(`/v1/webhooks/${webhookId}/deliveries`)
  const found = body.data.find(delivery => delivery.id === id)
  if (!found) throw new Error(`no delivery ${id}`)
  return found
}

const untilDelivery = (webhookId: string, id: string, fits: (delivery: DeliveryView) => boolean) =>
  waitUntil(async () => {
    const delivery = await findDelivery(webhookId, id)
    return fits(delivery) && delivery
  })

const webhookOf = async (id: string) => (await context.workspace.client.get<WebhookView>(`/v1/webhooks/${id}`)).body

test('a change is delivered with a signature that the reference library accepts', async () => {
  const path = newPath()
  const { id, secret } = await createWebhook(path, { event_types: ['resource.created'] })
  const skill = await createSkill('Announced')
  const [request] = await endpoint.until(path, 1)
  if (!request) throw new Error('nothing came')
  const { headers, body } = request
  expect(new Verifier(secret).verify(body, headers)).toMatchObject({
    type: 'resource.created',
    resource: { id: skill, type: 'skills', version: 1 },
  })
  const { id: eventId } = JSON.parse(body) as { id: string }
  expect(headers['webhook-id']).toBe(`msg_${eventId}`)
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
  expect(headers['webhook-signature']).toBe(`v1,${createHmac('sha256', key).update(signed).digest('base64')}`)
  expect(() => new Verifier(secret).verify(`${body} `, headers)).toThrow()
  await context.workspace.client.del(`/v1/webhooks/${id}`)
})

test('the stream and the webhook send the same event', async () => {
  const path = newPath()
  await createWebhook(path, { event_types: ['resource.created'] })
  const reader = await followEvents(context.workspace.client, { types: 'resource.created' })
  const skill = await createSkill('Both')
  const events = await reader.until(({ resource }) => resource?.id === skill)
  const [request] = await endpoint.until(path, 1)
  const { streamId: _, ...event } = events.find(({ resource }) => resource?.id === skill) ?? { streamId: '' }
  expect(JSON.parse(request?.body ?? '')).toEqual(event)
  reader.close()
})

test('a failed delivery is retried with the same id and body until it succeeds', async () => {
  const path = newPath()
  const { id } = await createWebhook(path)
  endpoint.reply(path, { status: 500, body: 'out of order' })
  const delivery = await sendTest(id)
  const failed = await untilDelivery(id, delivery.id, ({ attempts }) => attempts === 1)
  expect(failed).toMatchObject({
    status: 'pending',
    next_attempt_at: expect.any(String),
    attempt_log: [{ status: 500, response: 'out of order' }],
  })
  expect((await webhookOf(id)).failing_since).not.toBeNull()
  const [first, second] = await endpoint.until(path, 2)
  expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id'])
  expect(second?.body).toBe(first?.body)
  expect(second?.headers['webhook-timestamp']).not.toBe(first?.headers['webhook-timestamp'])
  const done = await untilDelivery(id, delivery.id, ({ status }) => status === 'succeeded')
  expect(done).toMatchObject({ attempts: 2, next_attempt_at: null, attempt_log: [{ status: 500 }, { status: 204 }] })
  expect((await webhookOf(id)).failing_since).toBeNull()
})

test('Retry-After delays the next attempt', async () => {
  const path = newPath()
  const { id } = await createWebhook(path)
  endpoint.reply(path, { status: 503, headers: { 'Retry-After': '7200' } })
  const { id: deliveryId } = await sendTest(id)
  const { next_attempt_at, attempt_log } = await untilDelivery(id, deliveryId, ({ attempts }) => attempts === 1)
  const waitMs = Date.parse(next_attempt_at ?? '') - Date.parse(attempt_log[0]?.at ?? '')
  expect(waitMs).toBeGreaterThanOrEqual(7_200_000)
})

test('a redirect counts as a failure and is not followed', async () => {
  const [path, other] = [newPath(), newPath()]
  const { id } = await createWebhook(path)
  endpoint.reply(path, { status: 302, headers: { Location: endpoint.url + other } })
  const { id: deliveryId } = await sendTest(id)
  const { attempt_log, status } = await untilDelivery(id, deliveryId, ({ attempts }) => attempts === 1)
  expect([status, attempt_log[0]?.status]).toEqual(['pending', 302])
  expect(endpoint.received.filter(request => request.path === other)).toEqual([])
})

test('the log keeps the first kilobyte of a response', async () => {
  const path = newPath()
  const { id } = await createWebhook(path)
  endpoint.reply(path, { status: 200, body: 'x'.repeat(5_000_000) })
  const { id: deliveryId } = await sendTest(id)
  const { attempt_log } = await untilDelivery(id, deliveryId, ({ status }) => status === 'succeeded')
  expect(attempt_log[0]?.response).toBe('x'.repeat(1_024))
})

test('during a rotation both secrets verify, and afterwards only the new one does', async () => {
  const { client } = context.workspace
  const path = newPath()
  const { id, secret: old } = await createWebhook(path)
  const rotated = await client.post<WebhookWithSecret>(`/v1/webhooks/${id}/rotate-secret`, { overlap_hours: 1 })
  expect(rotated.body.secret).not.toBe(old)
  expect(rotated.body.previous_secret_until).not.toBeNull()
  await sendTest(id)
  const [both] = await endpoint.until(path, 1)
  for (const secret of [old, rotated.body.secret])
    expect(() => new Verifier(secret).verify(both?.body ?? '', both?.headers ?? {})).not.toThrow()
  const again = await client.post<WebhookWithSecret>(`/v1/webhooks/${id}/rotate-secret`, { overlap_hours: 0 })
  await sendTest(id)
  const [, last] = await endpoint.until(path, 2)
  expect(() => new Verifier(again.body.secret).verify(last?.body ?? '', last?.headers ?? {})).not.toThrow()
  for (const secret of [old, rotated.body.secret])
    expect(() => new Verifier(secret).verify(last?.body ?? '', last?.headers ?? {})).toThrow()
})

test('a secret is shown once, and stored encrypted', async () => {
  const { client, id: workspaceId } = context.workspace
  const { id, secret } = await createWebhook(newPath())
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
  const answers = [await client.get(`/v1/webhooks/${id}`), await client.get('/v1/webhooks')]
  expect(JSON.stringify(answers.map(({ body }) => body))).not.toContain('whsec_')
  const [row] = await context.stack.database.db.inWorkspace(workspaceId, tx =>
    select(tx, pick(webhooksTable, 'secret'), 'select secret from webhooks where id = $1', [id]),
  )
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
  expect(row?.secret.includes(key)).toBe(false)
  expect(row?.secret.toString('latin1')).not.toContain(secret)
})

test('a finished delivery is replayed with the same id and body', async () => {
  const { client } = context.workspace
  const path = newPath()
  const { id } = await createWebhook(path)
  const delivery = await sendTest(id)
  await untilDelivery(id, delivery.id, ({ status }) => status === 'succeeded')
  const replay = await client.post<DeliveryView>(`/v1/webhooks/${id}/deliveries/${delivery.id}/replay`)
  expect([replay.status, replay.body.status, replay.body.attempts]).toEqual([202, 'pending', 0])
  const [first, second] = await endpoint.until(path, 2)
  expect([second?.headers['webhook-id'], second?.body]).toEqual([first?.headers['webhook-id'], first?.body])
  const done = await untilDelivery(id, delivery.id, ({ status }) => status === 'succeeded')
  expect(done.attempt_log).toHaveLength(2)
})

test('a pending delivery cannot be replayed, and a disabled webhook sends no deliveries', async () => {
  const { client } = context.workspace
  const path = newPath()
  const { id } = await createWebhook(path, { event_types: ['resource.created'] })
  endpoint.reply(path, { status: 500 })
  const delivery = await sendTest(id)
  await untilDelivery(id, delivery.id, ({ attempts }) => attempts === 1)
  const replay = () => client.post<{ code: string }>(`/v1/webhooks/${id}/deliveries/${delivery.id}/replay`)
  expect((await replay()).status).toBe(409)
  const disabled = await client.patch<WebhookView>(`/v1/webhooks/${id}`, { is_active: false })
  expect(disabled.body).toMatchObject({ is_active: false, disabled_reason: 'requested' })
  await untilDelivery(id, delivery.id, ({ status }) => status === 'failed')
  expect([(await replay()).status, (await client.post(`/v1/webhooks/${id}/test`)).status]).toEqual([409, 409])
  const reader = await followEvents(client, { types: 'resource.created' })
  const skipped = await createSkill('Not delivered')
  await reader.until(({ resource }) => resource?.id === skipped)
  reader.close()
  const enabled = await client.patch<WebhookView>(`/v1/webhooks/${id}`, { is_active: true })
  expect(enabled.body).toMatchObject({ is_active: true, disabled_reason: null, failing_since: null })
  const skill = await createSkill('Delivered')
  const requests = await endpoint.until(path, 2)
  expect(requests[1]?.body).toContain(skill)
})

test('an endpoint that returns 410 disables its webhook, with an event and an audit entry', async () => {
  const { client, id: workspaceId } = context.workspace
  const path = newPath()
  const { id } = await createWebhook(path)
  const reader = await followEvents(client, { types: 'webhook.disabled' })
  endpoint.reply(path, { status: 410 })
  const delivery = await sendTest(id)
  const events = await reader.until(({ webhook }) => webhook?.id === id)
  expect(events.find(({ webhook }) => webhook?.id === id)?.webhook?.reason).toBe('gone')
  reader.close()
  expect(await webhookOf(id)).toMatchObject({ is_active: false, disabled_reason: 'gone' })
  expect(await findDelivery(id, delivery.id)).toMatchObject({ status: 'failed', attempts: 1 })
  const rows = await context.stack.database.db.inWorkspace(workspaceId, tx =>
    select(
      tx,
      pick(auditLogTable, 'details'),
      `select details from audit_log where action = 'webhook.disable' and target = $1`,
      [id],
    ),
  )
  expect(rows).toMatchObject([{ details: { reason: 'gone', delivery_id: delivery.id } }])
})

test('a webhook is disabled if it has been failing for longer than the limit, but not before', async () => {
  const { client, id: workspaceId } = context.workspace
  const places = [newPath(), newPath()]
  const webhooks = await Promise.all(places.map(path => createWebhook(path)))
  const days = [6, 4]
  for (const [i, { id }] of webhooks.entries())
    await context.stack.database.db.inWorkspace(workspaceId, tx =>
      execute(tx, 'update webhooks set failing_since = now() - make_interval(days => $2) where id = $1', [id, days[i]]),
    )
  const reader = await followEvents(client, { types: 'webhook.*' })
  for (const [i, { id }] of webhooks.entries()) {
    endpoint.reply(places[i] ?? '', { status: 500 })
    const delivery = await sendTest(id)
    await untilDelivery(id, delivery.id, ({ attempts }) => attempts === 1)
  }
  const [long, short] = await Promise.all(webhooks.map(({ id }) => webhookOf(id)))
  expect([long?.disabled_reason, short?.disabled_reason]).toEqual(['failing', null])
  await reader.until(({ webhook }) => webhook?.id === long?.id)
  reader.close()
})

test('a webhook in a brain gets the events of the brain and of the workspace', async () => {
  const workspace = await context.stack.workspace({ actor: 'user:ann' })
  const [mine, other] = [workspace.brain_id, await workspace.newBrain()]
  const path = newPath()
  const created = await createWebhook(path, { event_types: ['resource.created'], brain_id: mine }, workspace)
  expect(created).toMatchObject({ scope: 'brain', brain_id: mine })
  await createSkill('Other', { brain_id: other }, workspace)
  const expected = [
    await createSkill('Mine', { brain_id: mine }, workspace),
    await createSkill('Of all', { scope: 'workspace' }, workspace),
  ]
  const requests = await endpoint.until(path, 2)
  const ids = requests.map(({ body }) => (JSON.parse(body) as { resource: { id: string } }).resource.id)
  expect(new Set(ids)).toEqual(new Set(expected))
})

test('a key for another brain cannot see a webhook, and cannot change a workspace webhook', async () => {
  const workspace = await context.stack.workspace({ actor: 'user:ann' })
  const other = await workspace.boundTo(await workspace.newBrain())
  const ofBrain = await createWebhook(newPath(), { brain_id: workspace.brain_id }, workspace)
  const ofWorkspace = await createWebhook(newPath(), { scope: 'workspace' }, workspace)
  expect((await other.get(`/v1/webhooks/${ofBrain.id}`)).status).toBe(404)
  expect((await other.get(`/v1/webhooks/${ofWorkspace.id}`)).status).toBe(200)
  expect((await other.patch(`/v1/webhooks/${ofWorkspace.id}`, { is_active: false })).status).toBe(403)
  expect((await other.del(`/v1/webhooks/${ofWorkspace.id}`)).status).toBe(403)
  const body = { url: endpoint.url, event_types: ['job.*'], scope: 'workspace' }
  expect((await other.post('/v1/webhooks', body)).status).toBe(403)
})

describe('a forbidden URL is rejected on save', () => {
  test.each([
    'http://10.0.0.1/',
    'http://192.168.1.1/',
    'http://172.16.0.1/',
    'http://169.254.169.254/latest/meta-data/',
    'http://[fe80::1]/',
    'http://[fd00::1]/',
    'http://[::ffff:10.0.0.1]/',
    'http://[64:ff9b::a00:1]/',
    'http://0.0.0.0/',
    'http://0x0a000001/',
    'http://012.0.0.1/',
    'http://167772161/',
    'http://10.1/',
    'http://100.64.0.1/',
    'http://224.0.0.1/',
    'http://user:password@example.com/',
    'ftp://example.com/',
    'file:///etc/passwd',
    'gopher://127.0.0.1/',
    'javascript:alert(1)',
    '//example.com/',
    'not a url',
    'http://no-such-host.invalid/',
  ])('%s', async url => {
    const { client } = context.workspace
    const reply = await client.post<{ code: string; details: { pointer: string }[] }>('/v1/webhooks', {
      url,
      event_types: ['job.*'],
    })
    expect([reply.status, reply.body.details[0]?.pointer]).toEqual([400, '/url'])
  })

  test('including URLs of the components', async () => {
    const { REDIS_URL, TEMPORAL_ADDRESS, ELASTICSEARCH_URL, DATABASE_URL } = context.stack.env
    const urls = [REDIS_URL, `x://${TEMPORAL_ADDRESS}`, ELASTICSEARCH_URL, DATABASE_URL, context.stack.baseUrl]
    for (const url of urls) {
      const { host } = new URL(url ?? '')
      const reply = await context.workspace.client.post('/v1/webhooks', {
        url: `http://${host}/`,
        event_types: ['job.*'],
      })
      expect([host, reply.status]).toEqual([host, 400])
    }
  })

  test('including when a webhook is updated', async () => {
    const { id } = await createWebhook(newPath())
    const reply = await context.workspace.client.patch(`/v1/webhooks/${id}`, { url: 'http://10.0.0.1/' })
    expect(reply.status).toBe(400)
  })
})

test('an address that has since become private is rejected on delivery', async () => {
  const { id: workspaceId } = context.workspace
  const { id } = await createWebhook(newPath())
  await context.stack.database.db.inWorkspace(workspaceId, tx =>
    execute(tx, `update webhooks set url = 'http://169.254.169.254/latest' where id = $1`, [id]),
  )
  const delivery = await sendTest(id)
  const failed = await untilDelivery(id, delivery.id, ({ status }) => status === 'failed')
  expect(failed.attempt_log).toMatchObject([{ error: { code: 'BLOCKED_ADDRESS' } }])
})

test('a hanging endpoint in one workspace does not delay deliveries in another', async () => {
  const slow = await context.stack.workspace({ actor: 'user:eve' })
  const hanging = await startWebhookEndpoint()
  hanging.reply('/hang', ...Array.from({ length: 60 }, () => 'hang' as const))
  await createWebhook('', { url: `${hanging.url}/hang`, event_types: ['resource.created'] }, slow)
  await Promise.all(Array.from({ length: 40 }, (_, n) => createSkill(`Hanging ${n}`, {}, slow)))
  await hanging.until('/hang', 40)
  const path = newPath()
  const { id } = await createWebhook(path)
  const delivery = await sendTest(id)
  await endpoint.until(path, 1)
  const done = await untilDelivery(id, delivery.id, ({ status }) => status === 'succeeded')
  expect(done.attempts).toBe(1)
  await hanging.close()
})
