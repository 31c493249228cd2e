import { createHmac, randomUUID } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { sign } from '@octokit/webhooks-methods'
import { Webhook as Signer } from 'standardwebhooks'
import { createClient, sendUntilTaken } from '../../support/clients/client.ts'
import { jobWith, pathway } from '../../support/runs/runs.ts'
import { useStack } from '../../support/stack/use-stack.ts'
import type { HookView, IssuedHookSecret, IssuedHookToken } from '../../../contract/triggers/hook.ts'
import type { FiringView } from '../../../contract/triggers/firing.ts'
import type { TriggerView } from '../../../contract/triggers/trigger.ts'

const context = useStack()
let pathwayId: string

/** Accepts any input and returns it. */
const echo = pathway([{ id: 'done', type: 'end', output: '${input}' }])

const post = <T>(path: string, body?: object) => context.workspace.client.post<T>(path, body)

async function createHook(webhook: object, fields: object = {}): Promise<{ id: string; path: string }> {
  const target = { type: 'pathway', ref: pathwayId }
  const trigger = await post<TriggerView>('/v1/triggers', {
    title: 'Hook',
    trigger_type: 'webhook',
    target,
    webhook,
    ...fields,
  })
  expect(trigger).toMatchObject({ status: 201 })
  const { id } = trigger.body
  const token = await post<IssuedHookToken>(`/v1/triggers/${id}/rotate-token`)
  expect(token).toMatchObject({ status: 200 })
  return { id, path: new URL(token.body.url, 'http://own').pathname }
}

const setSecret = async (id: string, body: object = {}) => {
  const { status, body: set } = await post<IssuedHookSecret>(`/v1/triggers/${id}/rotate-secret`, body)
  expect(status).toBe(200)
  return set.secret ?? ''
}

interface Answer {
  job_id: string
  firing_id: string
  decision: string
  result: unknown
  challenge: string
  message: string
  details: object[]
}

/** Sends a request without a key, as external senders do. */
const send = (path: string, body: string | Uint8Array, headers: Record<string, string> = {}) =>
  createClient(context.stack.baseUrl).call<Answer>('POST', path, undefined, {
    raw: body,
    headers: { 'Content-Type': 'application/json', ...headers },
  })

const listFirings = async (id: string) =>
  (await context.workspace.client.get<{ data: FiringView[] }>(`/v1/triggers/${id}/runs?limit=200`)).body.data

function signStandard(secret: string, body: string, id = `msg_${randomUUID()}`, at = new Date()) {
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': new Signer(secret).sign(id, at, body),
  }
}

beforeAll(async () => {
  pathwayId = (await post<{ id: string }>('/v1/pathways', { title: 'Echo', definition: echo })).body.id
})

test('a signed request starts a run with its body, and parallel copies start no other runs', async () => {
  const { id, path } = await createHook({ signature: { scheme: 'standard_webhooks' } })
  const body = '{"order":7,"note":"Zoë"}'
  expect(await send(path, body)).toMatchObject({ status: 401 })
  const secret = await setSecret(id)
  const headers = signStandard(secret, body)
  const answers = await Promise.all(Array.from({ length: 50 }, () => sendUntilTaken(() => send(path, body, headers))))
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([202]))
  const jobs = new Set(answers.map(({ body }) => body.job_id))
  expect(jobs.size).toBe(1)
  const job = await jobWith(context.workspace.client, [...jobs][0] ?? '')
  expect(job).toMatchObject({ status: 'completed', result: { order: 7, note: 'Zoë' }, trigger_id: id })
  const list = await context.workspace.client.get<{ total: number }>(`/v1/jobs?trigger_id=${id}`)
  expect(list.body.total).toBe(1)
  const firings = await listFirings(id)
  expect(Object.groupBy(firings, ({ decision }) => decision)).toMatchObject({
    fired: [{ event: { delivery_id: headers['webhook-id'], format: 'json', type: 'webhook' } }],
  })
  const fired = firings.find(({ decision }) => decision === 'fired')
  const copies = firings.filter(({ id, decision }) => id !== fired?.id && decision !== 'refused')
  expect(copies.length).toBeGreaterThan(0)
  expect(copies.filter(copy => copy.decision !== 'duplicate' || copy.duplicate_of !== fired?.id)).toEqual([])
  expect(JSON.stringify(firings)).not.toContain('webhook-signature')
})

test("invalid, missing and expired signatures are rejected with the header's name, and start nothing", async () => {
  const { id, path } = await createHook({ signature: { scheme: 'standard_webhooks' } })
  const secret = await setSecret(id)
  const body = '{"a":1}'
  const refused = async (headers: Record<string, string>, sent = body) => {
    const { status, body } = await send(path, sent, headers)
    expect(status).toBe(401)
    return body.message
  }
  const old = new Date(Date.now() - 400_000)
  expect(await refused({})).toBe('The header webhook-id is missing')
  expect(await refused(signStandard(secret, body), '{"a":2}')).toContain('webhook-signature does not match')
  expect(await refused(signStandard(secret, body, 'msg_1', old))).toMatch(
    /webhook-timestamp is \d+ seconds in the past/,
  )
  const noted = await listFirings(id)
  expect(noted.map(({ decision, event, job_id }) => ({ decision, event, job_id }))).toEqual(
    Array.from({ length: 3 }, () => ({ decision: 'refused', event: null, job_id: null })),
  )
  expect(noted.at(-1)?.reason).toBe('The header webhook-id is missing')
  const { body: trigger } = await context.workspace.client.get<TriggerView>(`/v1/triggers/${id}`)
  expect(trigger.health).toBe('ok')
  for (let i = 0; i < 6; i++) await refused({})
  expect((await listFirings(id)).length).toBeLessThanOrEqual(2 * 5)
})

test('requests for which the trigger’s expression returns the same value start one run', async () => {
  const { id, path } = await createHook({ signature: { scheme: 'none' }, dedupe_by: 'event.body.claim_id' })
  const first = await send(path, '{"claim_id":7,"at":1}')
  expect(first.status).toBe(202)
  expect(await send(path, '{"claim_id":7,"at":2}')).toMatchObject({ status: 202, body: { job_id: first.body.job_id } })
  const other = await send(path, '{"claim_id":8}')
  expect([other.status, other.body.job_id === first.body.job_id]).toEqual([202, false])
  expect(await send(path, '{"claim":7}')).toMatchObject({ status: 400 })
  const firings = await listFirings(id)
  expect(firings.map(({ decision }) => decision)).toEqual(['refused', 'fired', 'duplicate', 'fired'])
  expect(firings[0]?.reason).toContain('dedupe_by cannot be evaluated')
  const wrong = await context.workspace.client.patch(`/v1/triggers/${id}`, {
    webhook: { signature: { scheme: 'none' }, dedupe_by: 'event.' },
  })
  expect(wrong).toMatchObject({ status: 400, body: { details: [{ pointer: '/webhook/dedupe_by' }] } })
})

test('secrets and tokens are rotated with an overlap and are shown only once', async () => {
  const { id, path } = await createHook({ signature: { scheme: 'github' } })
  const first = await setSecret(id, { secret: 'the first secret' })
  expect(first).toBe('')
  const deliver = async (secret: string, to = path) =>
    (await send(to, '{}', { 'x-hub-signature-256': await sign(secret, '{}'), 'x-github-delivery': randomUUID() }))
      .status
  expect(await deliver('the first secret')).toBe(202)
  const second = await setSecret(id, { overlap_hours: 1 })
  expect([await deliver('the first secret'), await deliver(second)]).toEqual([202, 202])
  await setSecret(id, { secret: 'the third secret', overlap_hours: 0 })
  expect([await deliver(second), await deliver('the third secret')]).toEqual([401, 202])

  const rotate = async (overlap_hours: number) =>
    new URL((await post<IssuedHookToken>(`/v1/triggers/${id}/rotate-token`, { overlap_hours })).body.url, 'http://own')
      .pathname
  const next = await rotate(1)
  expect([await deliver('the third secret'), await deliver('the third secret', next)]).toEqual([202, 202])
  const last = await rotate(0)
  expect(await deliver('the third secret')).toBe(404)
  expect(await deliver('the third secret', next)).toBe(404)
  expect(await deliver('the third secret', last)).toBe(202)
  const { body } = await context.workspace.client.get<HookView>(`/v1/triggers/${id}/hook`)
  expect(body).toMatchObject({ signature: 'github', has_secret: true, tokens: [{ expires_at: null }] })
  const shown = JSON.stringify([
    body,
    await listFirings(id),
    (await post(`/v1/triggers/${id}/rotate-secret`, { secret: 'x'.repeat(20) })).body,
  ])
  for (const secret of ['the third secret', 'x'.repeat(20), last.split('/').at(-1) ?? ''])
    expect(shown).not.toContain(secret)
})

test('Slack gets its challenge back, Stripe and Slack provide the secrets, and a plain HMAC follows its settings', async () => {
  const slack = await createHook({ signature: { scheme: 'slack' } })
  const missing = await post<Answer>(`/v1/triggers/${slack.id}/rotate-secret`)
  expect(missing).toMatchObject({ status: 400, body: { details: [{ pointer: '/secret' }] } })
  await setSecret(slack.id, { secret: '8f742231b10e8888abcd99yyyzzz85a5' })
  const signSlack = (body: string) => {
    const time = String(Math.floor(Date.now() / 1_000))
    const mac = createHmac('sha256', '8f742231b10e8888abcd99yyyzzz85a5').update(`v0:${time}:${body}`).digest('hex')
    return { 'x-slack-request-timestamp': time, 'x-slack-signature': `v0=${mac}` }
  }
  const challenge = JSON.stringify({ type: 'url_verification', challenge: '3eZbrw1aB', token: 't' })
  expect(await send(slack.path, challenge, signSlack(challenge))).toMatchObject({
    status: 200,
    body: { challenge: '3eZbrw1aB' },
  })
  const command = 'command=%2Fticket&text=broken'
  const form = { 'Content-Type': 'application/x-www-form-urlencoded', ...signSlack(command) }
  const [one, copy] = [await send(slack.path, command, form), await send(slack.path, command, form)]
  expect(one.status).toBe(202)
  expect(copy.body.job_id).toBe(one.body.job_id)
  const { result } = await jobWith(context.workspace.client, one.body.job_id)
  expect(result).toEqual({ command: '/ticket', text: 'broken' })

  const plain = await createHook({
    signature: { scheme: 'hmac', header: 'X-Sig', encoding: 'base64', algorithm: 'sha512' },
  })
  const secret = await setSecret(plain.id)
  const body = 'plain text'
  const mac = createHmac('sha512', secret).update(body).digest('base64')
  const sent = await send(plain.path, body, { 'Content-Type': 'text/plain', 'x-sig': mac })
  expect((await jobWith(context.workspace.client, sent.body.job_id)).result).toBe(body)
})

test('a sender can wait for the result, and receives the reason if no run starts', async () => {
  const { id, path } = await createHook(
    { signature: { scheme: 'none', delivery_id_header: 'x-id' }, respond: 'sync' },
    { filter: 'event.body.amount > 10', input: { amount: '${event.body.amount}', from: '${event.headers["x-from"]}' } },
  )
  const deliver = (body: string, delivery: string) => send(path, body, { 'x-id': delivery, 'x-from': 'shop' })
  expect(await deliver('{"amount":12}', 'one')).toMatchObject({
    status: 200,
    body: { status: 'completed', result: { amount: 12, from: 'shop' } },
  })
  expect(await deliver('{"amount":1}', 'two')).toMatchObject({
    status: 200,
    body: { decision: 'filtered', job_id: null },
  })
  expect(await deliver('{"other":1}', 'three')).toMatchObject({ status: 400 })
  const { client } = context.workspace
  expect((await client.patch(`/v1/triggers/${id}`, { paused: true, pause_note: 'moving' })).status).toBe(200)
  expect(await deliver('{"amount":20}', 'four')).toMatchObject({
    status: 409,
    body: { message: expect.stringMatching(/^The trigger is paused; the firing is [\w-]{36}$/) },
  })
  await client.patch(`/v1/triggers/${id}`, { paused: false })
  expect(await deliver('{"amount":20}', 'four')).toMatchObject({ status: 200, body: { status: 'completed' } })
  await client.patch(`/v1/triggers/${id}`, { limits: { runs_per_hour: 2 } })
  expect(await deliver('{"amount":30}', 'five')).toMatchObject({ status: 429 })
  expect((await listFirings(id)).map(({ decision }) => decision)).toEqual([
    'limited',
    'fired',
    'paused',
    'failed_mapping',
    'filtered',
    'fired',
  ])
})

test('unknown tokens, compression bombs, and large and deeply nested bodies are rejected, and a hook has its own request limit', async () => {
  const { id, path } = await createHook({ signature: { scheme: 'none' }, requests_per_minute: 2 })
  expect(await send('/v1/public/hooks/gnh_no-token', '{}')).toMatchObject({ status: 404 })
  const changed = path.slice(0, -1) + (path.endsWith('0') ? '1' : '0')
  expect(await send(changed, '{}')).toMatchObject({ status: 404 })
  const bomb = gzipSync(Buffer.alloc(50_000_000, 32))
  expect(await send(path, bomb, { 'content-encoding': 'gzip' })).toMatchObject({ status: 413 })
  expect(await send(path, JSON.stringify('x'.repeat(1_100_000)))).toMatchObject({ status: 413 })
  expect(await send(path, '['.repeat(70) + ']'.repeat(70))).toMatchObject({ status: 400 })
  expect(await send(path, '{}')).toMatchObject({ status: 202 })
  expect(await send(path, '{}')).toMatchObject({ status: 429 })
  expect((await context.workspace.client.del(`/v1/triggers/${id}`)).status).toBeLessThan(300)
  expect(await send(path, '{}')).toMatchObject({ status: 404 })
})

test('a trigger of another type has no hook, and invalid settings are rejected with pointers', async () => {
  const target = { type: 'pathway', ref: pathwayId }
  const manual = await post<TriggerView>('/v1/triggers', { title: 'By hand', target })
  expect(await post(`/v1/triggers/${manual.body.id}/rotate-token`)).toMatchObject({ status: 409 })
  const wrong = await post<Answer>('/v1/triggers', {
    title: 'Bad',
    trigger_type: 'webhook',
    target,
    webhook: { signature: { scheme: 'hmac', header: 'x sig' } },
  })
  expect(wrong).toMatchObject({ status: 400, body: { details: [{ pointer: '/webhook/signature/header' }] } })
  expect(await post<Answer>('/v1/triggers', { title: 'Bad', trigger_type: 'webhook', target })).toMatchObject({
    status: 400,
    body: { details: [{ pointer: '/webhook' }] },
  })
})
