import type { ChannelView } from '../../../contract/channels/channel.ts'
import type { ChannelAccountView } from '../../../contract/channels/channel-account.ts'
import type { ChannelMessageView } from '../../../contract/channels/channel-message.ts'
import type { Role } from '../../../domain/access/permissions.ts'
import { execute } from '../../../data/shared/statements.ts'
import { signInAs } from '../../support/access/sign-in.ts'
import { type PushBrowser, startPushServer } from '../../support/channels/push-server.ts'
import type { Browser } from '../../support/clients/browser.ts'
import type { ApiClient } from '../../support/clients/client.ts'
import { asked, jobWith, pathway, startRun } from '../../support/runs/runs.ts'
import { waitUntil } from '../../support/stack/process.ts'
import { startStack } from '../../support/stack/stack.ts'
import { openContext } from '../../support/stack/use-stack.ts'

const push = await startPushServer()
const context = openContext(() => startStack({ env: { NODE_EXTRA_CA_CERTS: push.certificate } }))
const CONTACT = 'ops@example.com'
let manager: ApiClient
let publicKey: string

beforeAll(async () => {
  manager = await context.workspace.permittedTo('access:manage', 'interventions:read')
  publicKey = (await save({ contact: CONTACT })).public_key
})
afterAll(() => push.close())

type WebPushChannel = Extract<ChannelView, { type: 'web_push' }>

async function save(fields: object = {}): Promise<WebPushChannel> {
  const channel = { name: 'browsers', type: 'web_push', ...fields }
  return (await manager.call<WebPushChannel>('PUT', '/v1/channels', channel)).body
}

const SUBSCRIPTIONS = '/v1/channel-accounts/browsers/push-subscriptions'

const subscribe = (of: Browser, { subscription }: PushBrowser, fields: object = {}, path = SUBSCRIPTIONS) =>
  of.send('PUT', path, { ...subscription, ...fields })

/** Signs a member in who receives notifications in the given number of browsers. */
async function addMember(
  actor: string,
  count = 1,
  role: Role = 'reviewer',
): Promise<{ session: Browser; browsers: PushBrowser[] }> {
  const session = await signInAs(context.stack, context.workspace, actor, role)
  const browsers = Array.from({ length: count }, () => push.subscribe(publicKey))
  for (const browser of browsers) expect(await subscribe(session, browser)).toMatchObject({ status: 200 })
  return { session, browsers }
}

async function listSubscriptions(session: Browser): Promise<string[]> {
  const { body } = await session.send('GET', '/v1/channel-accounts')
  const { data } = body as unknown as { data: ChannelAccountView[] }
  return data.find(({ channel }) => channel === 'browsers')?.push_subscriptions ?? []
}

async function ask(title: string, ...assignees: string[]): Promise<{ jobId: string; id: string }> {
  const review = { id: 'review', type: 'human', kind: 'approval', title, assignees }
  const end = { id: 'done', type: 'end', output: 1 }
  const graph = pathway([review, end], 'review.approve > done', 'review.reject > done')
  const jobId = await startRun(context.workspace.client, graph)
  const [task] = await asked(context.workspace.client, jobId)
  return { jobId, id: task?.interventionId ?? '' }
}

const cancel = (jobId: string) => context.workspace.client.post(`/v1/jobs/${jobId}/cancel`)

const readLog = async (id: string, channel = 'browsers'): Promise<ChannelMessageView | undefined> => {
  const { body } = await manager.get<{ data: ChannelMessageView[] }>(`/v1/channels/${channel}/messages`)
  return body.data.find(({ intervention_id }) => intervention_id === id)
}

const until = (id: string, status: ChannelMessageView['status'], channel?: string) =>
  waitUntil(
    async () => (await readLog(id, channel))?.status === status,
    undefined,
    async () => JSON.stringify(await readLog(id, channel)),
  )

const inside = (statement: string, parameters: unknown[] = []) =>
  context.stack.database.db.inWorkspace(context.workspace.id, tx => execute(tx, statement, parameters))

const find = ({ messages }: PushBrowser, text: string) =>
  messages.filter(({ data: { title, body } }) => `${title}\n${body}`.includes(text))

test('a channel has a key for browsers, which stays the same when the channel is saved again', async () => {
  const saved = await save({ contact: 'other@example.com' })
  expect(saved).toMatchObject({ type: 'web_push', status: 'connected', contact: 'mailto:other@example.com' })
  expect(saved.public_key).toBe(publicKey)
  expect(Buffer.from(publicKey, 'base64url')).toHaveLength(65)
  await save({ contact: CONTACT })
  // The tests have no https URL.
  const other = await manager.call('PUT', '/v1/channels', { name: 'other', type: 'web_push' })
  expect(other).toMatchObject({ status: 400, body: { details: [{ pointer: '/contact' }] } })
})

test('a new task arrives in all browsers of a member, with a link', async () => {
  const { browsers } = await addMember('user:bob', 2)
  const { jobId, id } = await ask('Pay the invoice?', 'user:bob')
  await until(id, 'sent')
  const messages = browsers.flatMap(browser => find(browser, 'New task: Pay the invoice?'))
  expect(messages).toHaveLength(2)
  const url = expect.stringContaining(`${context.stack.baseUrl}/console/inbox/${id}`)
  for (const { data, topic, ttl, contact } of messages) {
    expect(data).toMatchObject({ body: 'For user:bob', url, tag: topic })
    expect(ttl).toBeGreaterThan(0)
    expect(contact).toBe(`mailto:${CONTACT}`)
  }
  expect((await readLog(id))?.recipient).toBe('user:bob')
  await cancel(jobId)
})

test('a long text in any language is cut to what push services accept', async () => {
  const { browsers } = await addMember('user:lou')
  const { jobId, id } = await ask('承認"\\'.repeat(125), 'user:lou')
  await until(id, 'sent')
  expect(browsers.flatMap(browser => find(browser, '承認'))).toHaveLength(1)
  await cancel(jobId)
})

test('a failed run and a digest of open tasks arrive', async () => {
  const { browsers } = await addMember('user:ann', 1, 'admin')
  const fail = { id: 'fail', type: 'transform', with: { value: '${input.gone}' } }
  await jobWith(context.workspace.client, await startRun(context.workspace.client, pathway([fail])), 'failed')
  await waitUntil(() => browsers.some(browser => find(browser, 'Run failed').length === 1))
  expect(browsers.flatMap(({ messages }) => messages)[0]?.data.url).toContain('/console/runs/')
  const { jobId } = await ask('In the digest?', 'user:ann')
  const rule = { subject: 'user:ann', channel: 'browsers', events: [], digest: true }
  expect(await manager.call('PUT', '/v1/notification-rules', rule)).toMatchObject({ status: 200 })
  await inside(`update notification_rules set digest_due_at = now() where subject = 'user:ann'`)
  await waitUntil(() => browsers.some(browser => find(browser, '1 open task\nIn the digest?').length === 1))
  await cancel(jobId)
})

test('a browser that has unsubscribed is removed, and the others receive the message', async () => {
  const { session, browsers } = await addMember('user:cy', 2)
  const [first, second] = browsers as [PushBrowser, PushBrowser]
  first.unsubscribe()
  const task = await ask('One left?', 'user:cy')
  await until(task.id, 'sent')
  expect([find(first, 'One left?').length, find(second, 'One left?').length]).toEqual([0, 1])
  expect(await listSubscriptions(session)).toHaveLength(1)
  second.unsubscribe()
  const last = await ask('None left?', 'user:cy')
  await until(last.id, 'failed')
  expect((await readLog(last.id))?.failure).toContain('no browser')
  expect(await listSubscriptions(session)).toEqual([])
  await Promise.all([task, last].map(({ jobId }) => cancel(jobId)))
})

test('a push service that limits requests is called again, but not for the browsers that have the message', async () => {
  const { browsers } = await addMember('user:dee', 2)
  const [first, second] = browsers as [PushBrowser, PushBrowser]
  second.fail(429)
  const { jobId, id } = await ask('Slow down?', 'user:dee')
  await waitUntil(async () => (await readLog(id))?.failure?.endsWith('returned the status 429') === true)
  await until(id, 'sent')
  expect([find(first, 'Slow down?').length, find(second, 'Slow down?').length]).toEqual([1, 1])
  await cancel(jobId)
})

test('another attempt sends a message only to the browsers that do not have it, also after a later message', async () => {
  const { browsers } = await addMember('user:pia', 2)
  const [first, second] = browsers as [PushBrowser, PushBrowser]
  const count = (text: string) => [find(first, text).length, find(second, text).length]
  second.fail(503, { 'retry-after': '10' })
  const earlier = await ask('Earlier?', 'user:pia')
  await waitUntil(async () => (await readLog(earlier.id))?.failure?.endsWith('returned the status 503') === true)
  const later = await ask('Later?', 'user:pia')
  await until(later.id, 'sent')
  await until(earlier.id, 'sent')
  expect([count('Earlier?'), count('Later?')]).toEqual([
    [1, 1],
    [1, 1],
  ])
  await Promise.all([earlier, later].map(({ jobId }) => cancel(jobId)))
})

test('a browser that fails does not mark the channel as failing while others work', async () => {
  const { public_key } = await save({ name: 'phones', contact: CONTACT })
  async function addPhone(actor: string): Promise<PushBrowser> {
    const phone = push.subscribe(public_key)
    const { session } = await addMember(actor, 0)
    const saved = await subscribe(session, phone, {}, SUBSCRIPTIONS.replace('browsers', 'phones'))
    expect(saved).toMatchObject({ status: 200 })
    return phone
  }
  const jobIds: string[] = []
  async function notify(actor: string, status: ChannelMessageView['status']): Promise<Partial<ChannelView>> {
    const { jobId, id } = await ask('A phone?', actor)
    jobIds.push(jobId)
    await until(id, status, 'phones')
    return (await manager.get<ChannelView>('/v1/channels/phones')).body
  }
  const [broken] = [await addPhone('user:ned'), await addPhone('user:oli')]
  broken.fail(400)
  expect(await notify('user:ned', 'failed')).toMatchObject({ status: 'connected' })
  broken.fail(403)
  expect(await notify('user:ned', 'failed')).toMatchObject({
    status: 'failing',
    failure: expect.stringContaining('returned the status 403'),
  })
  expect(await notify('user:oli', 'sent')).toMatchObject({ status: 'connected', failure: null })
  broken.fail(403)
  expect(await notify('user:ned', 'failed')).toMatchObject({ status: 'connected' })
  await Promise.all(jobIds.map(cancel))
})

test('a message that is sent again after a crash has the same tag', async () => {
  const { browsers } = await addMember('user:kim')
  const [browser] = browsers as [PushBrowser]
  browser.hang()
  const { jobId, id } = await ask('Killed?', 'user:kim')
  await waitUntil(() => find(browser, 'Killed?').length === 1)
  await context.stack.killWorker()
  await until(id, 'sent')
  const [first, second, ...others] = find(browser, 'Killed?')
  expect(second?.data.tag).toBe(first?.data.tag)
  expect(second?.topic).toBe(first?.topic)
  expect(others).toEqual([])
  await cancel(jobId)
})

test('a browser belongs to the member who subscribed last, and nobody else can remove it', async () => {
  const { session: eve, browsers } = await addMember('user:eve')
  const [browser] = browsers as [PushBrowser]
  const [id = ''] = await listSubscriptions(eve)
  const { session: fay } = await addMember('user:fay', 0)
  expect(await fay.send('DELETE', `${SUBSCRIPTIONS}/${id}`)).toMatchObject({ status: 404 })
  expect(await subscribe(fay, browser)).toMatchObject({ status: 200, body: { id } })
  expect([await listSubscriptions(eve), await listSubscriptions(fay)]).toEqual([[], [id]])
  expect(await fay.send('DELETE', `${SUBSCRIPTIONS}/${id}`)).toMatchObject({ status: 204 })
  expect(await listSubscriptions(fay)).toEqual([])
})

test('a deactivated member receives nothing', async () => {
  const { browsers } = await addMember('user:gil')
  const { session: owner } = await addMember('user:olga', 0, 'owner')
  expect(await owner.send('POST', '/v1/members/user:gil/deactivate', {})).toMatchObject({ status: 200 })
  expect(await inside(`select from push_subscriptions where actor = 'user:gil'`)).toBe(0)
  const { jobId, id } = await ask('Still there?', 'user:gil', 'user:bob')
  await until(id, 'sent')
  expect(browsers.flatMap(({ messages }) => messages)).toEqual([])
  await cancel(jobId)
})

test('only the latest 20 browsers of a member are kept', async () => {
  const { session, browsers } = await addMember('user:hal', 20)
  const before = await listSubscriptions(session)
  expect(before).toHaveLength(20)
  await subscribe(session, push.subscribe(publicKey))
  const after = await listSubscriptions(session)
  expect(after).toHaveLength(20)
  expect(after).not.toContain(before.at(-1))
  expect(browsers).toHaveLength(20)
})

test('invalid subscriptions and rules are rejected with a pointer', async () => {
  const { session } = await addMember('user:ida', 0)
  const browser = push.subscribe(publicKey)
  const { endpoint, keys } = browser.subscription
  const wrong: [object, string][] = [
    [{ endpoint: endpoint.replace('https:', 'http:') }, '/endpoint'],
    [{ endpoint: `${endpoint}?${'x'.repeat(2_000)}` }, '/endpoint'],
    [{ keys: { ...keys, auth: 'short' } }, '/keys/auth'],
    [{ keys: { ...keys, p256dh: 'short' } }, '/keys/p256dh'],
    // Not a point of the curve.
    [{ keys: { ...keys, p256dh: `B${'A'.repeat(86)}` } }, '/keys/p256dh'],
  ]
  for (const [fields, pointer] of wrong) {
    const { status, body } = await subscribe(session, browser, fields)
    expect([fields, status, body]).toMatchObject([fields, 400, { details: [{ pointer }] }])
    expect(JSON.stringify(body)).not.toContain(endpoint)
  }
  const unknown = '/v1/channel-accounts/unknown/push-subscriptions'
  expect(await subscribe(session, browser, {}, unknown)).toMatchObject({ status: 404 })
  expect(await session.send('POST', '/v1/channel-accounts/browsers/code', {})).toMatchObject({ status: 409 })
  const rules = [
    [{ subject: 'group:finance' }, '/subject'],
    [{ subject: 'user:ida', conversation: 'C012AB3CD' }, '/conversation'],
  ] as const
  await context.workspace.as('user:jo', ['group:finance'])
  for (const [fields, pointer] of rules)
    expect(await manager.call('PUT', '/v1/notification-rules', { channel: 'browsers', ...fields })).toMatchObject({
      status: 400,
      body: { details: [{ pointer }] },
    })
})

test('after a change of the server secret, the channel gets another key and the browsers are removed', async () => {
  const { session, browsers } = await addMember('user:max')
  await inside(`update channels set credentials = '' where name = 'browsers'`)
  await inside(`update push_subscriptions set subscription = '' where actor = 'user:max'`)
  const { public_key } = await save({ contact: CONTACT })
  expect(public_key).not.toBe(publicKey)
  const { jobId, id } = await ask('Which key?', 'user:max')
  await until(id, 'failed')
  expect(browsers.flatMap(({ messages }) => messages)).toEqual([])
  expect(await listSubscriptions(session)).toEqual([])
  await cancel(jobId)
})
