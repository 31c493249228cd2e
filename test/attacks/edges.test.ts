import { createHmac } from 'node:crypto'
import { createClient } from '../support/clients/client.ts'
import { ingestFile } from '../support/documents/documents.ts'
import { askThenEnd, jobWith, pathway } from '../support/runs/runs.ts'
import { collect, readEvents } from '../support/clients/sse.ts'
import { signInAs } from '../support/access/sign-in.ts'
import { useStack } from '../support/stack/use-stack.ts'
import type { IssuedHookSecret, IssuedHookToken } from '../../contract/triggers/hook.ts'
import type { FiringView } from '../../contract/triggers/firing.ts'
import type { TriggerView } from '../../contract/triggers/trigger.ts'

/** Attacks at the edges of the service: paths, names, downloads, hooks and visitors. */
const context = useStack()

interface Reply {
  job_id: string
  trace_id: string
  message: string
  code: string
  details?: object[]
}

const post = <T = Reply>(path: string, body?: object) => context.workspace.client.post<T>(path, body)
const stranger = () => createClient(context.stack.baseUrl)

/** The failure contains a node, a host and an address that only members may see. */
const leaking = pathway([
  { id: 'secret_node', type: 'http', with: { url: 'http://10.20.30.40:8123/internal' }, retry: { max_attempts: 1 } },
])
const LEAKS = /secret_node|10\.20\.30\.40|8123|internal\b/

test.each(['/V1/mcp', '/v1/MCP', '/V1/Mcp/docs', '/V1/chat/new', '/v1/Hooks'])(
  '%s does not match a route, so it cannot bypass path checks',
  async path => {
    const headers = { Origin: 'https://evil.example' }
    expect(await post('/v1/jobs', {})).toMatchObject({ status: 400 })
    expect(await context.workspace.client.post(path, { jsonrpc: '2.0' }, { headers })).toMatchObject({ status: 404 })
  },
)

test('a page from another origin cannot call the MCP server', async () => {
  const headers = { Origin: 'https://evil.example' }
  const response = await fetch(`${context.stack.baseUrl}/v1/mcp`, { method: 'POST', headers })
  expect(response.status).toBe(403)
})

test.each([
  ['text/javascript', 'text/plain; charset=utf-8'],
  ['application/javascript', 'text/plain'],
  ['text/ecmascript', 'text/plain; charset=utf-8'],
  ['application/x-javascript', 'text/plain'],
  ['TEXT/JavaScript', /^text\/plain/],
  ['text/css', 'text/plain; charset=utf-8'],
  ['text/html', 'text/html; charset=utf-8'],
  ['image/svg+xml', 'image/svg+xml; charset=utf-8'],
])('an artifact of type %s is never loaded as a script, a style sheet or a page', async (media_type, sent) => {
  const { body } = await post<{ id: string }>('/v1/artifacts', { title: 'Code', content: 'alert(1)', media_type })
  const response = await fetch(`${context.stack.baseUrl}/v1/artifacts/${body.id}/content`, {
    headers: { Authorization: `Bearer ${context.workspace.api_key}` },
  })
  expect([response.status, Object.fromEntries(response.headers)]).toMatchObject([
    200,
    {
      'content-type': typeof sent === 'string' ? sent : expect.stringMatching(sent),
      'content-disposition': expect.stringMatching(/^attachment/),
      'content-security-policy': "sandbox; default-src 'none'",
      'cross-origin-resource-policy': 'same-site',
      'x-content-type-options': 'nosniff',
    },
  ])
})

describe('invisible characters', () => {
  test.each([
    ['a right-to-left override', 'invoice\u202Efdp.exe', 'U+202E'],
    ['an isolate', 'in\u2066voice.pdf', 'U+2066'],
    ['a zero-width space', 'in\u200Bvoice.pdf', 'U+200B'],
    ['a byte order mark', 'invoice\uFEFF.pdf', 'U+FEFF'],
    ['tag characters', `invoice${String.fromCodePoint(0xe0041)}.pdf`, 'U+E0041'],
  ])('%s is rejected in titles, folders and file names', async (_, name, code) => {
    const message = `must not contain the invisible character ${code}`
    const artifact = { title: 'Invoice', content: 'x' }
    const refused = await Promise.all([
      post('/v1/artifacts', { ...artifact, title: name }),
      post('/v1/artifacts', { ...artifact, path: `/${name}` }),
      post('/v1/assets/ingest', { text: 'x', mime_type: 'text/plain', file_name: name }),
      ingestFile(context.workspace.client, { bytes: 'x', name, type: 'text/plain' }),
    ])
    for (const { status, body } of refused)
      expect([status, body.details]).toEqual([400, [expect.objectContaining({ message })]])
  })

  test('joiners in non-Latin scripts and emoji are allowed', async () => {
    const title = 'می\u200Cخواهم 👩\u200D👧'
    expect(await post('/v1/artifacts', { title, content: 'x' })).toMatchObject({ status: 201, body: { title } })
  })

  test('are removed from question titles', async () => {
    const definition = askThenEnd('done', { title: 'Pay ${input.to}' })
    const { body } = await post('/v1/jobs', { pathway: definition, input: { to: 'A\u202ECME\u200B' } })
    await jobWith(context.workspace.client, body.job_id, 'waiting')
    const { body: inbox } = await context.workspace.client.get<{ data: { job_id: string; title: string }[] }>(
      '/v1/interventions',
    )
    expect(inbox.data.find(({ job_id }) => job_id === body.job_id)?.title).toBe('Pay ACME')
  })
})

async function createHook(webhook: object, target: string, fields: object = {}) {
  const hook = await createHookWithoutSecret(webhook, target, fields)
  const { body: issued } = await post<IssuedHookSecret>(`/v1/triggers/${hook.id}/rotate-secret`)
  return { ...hook, secret: issued.secret ?? '' }
}

const savePathway = async (definition: object): Promise<string> =>
  (await post<{ id: string }>('/v1/pathways', { title: 'Target', definition })).body.id

describe('a captured delivery', () => {
  const echo = pathway([{ id: 'done', type: 'end', output: '${input}' }])
  const sign = (secret: string, text: string) => createHmac('sha256', secret).update(text).digest('hex')
  const send = (path: string, raw: string, headers: Record<string, string>) =>
    stranger().call<Reply>('POST', path, undefined, {
      raw,
      headers: { 'Content-Type': 'application/json', ...headers },
    })

  test.each([
    ['github', { scheme: 'github' }, 'x-hub-signature-256', 'sha256=', 'x-github-delivery'],
    ['hmac', { scheme: 'hmac', header: 'x-sig' }, 'x-sig', '', 'x-id'],
  ])('from %s starts no second run under another id', async (_, signature, header, prefix, id) => {
    const { path, secret } = await createHook({ signature }, await savePathway(echo))
    const body = '{"pay":1}'
    const signed = { [header]: prefix + sign(secret, body) }
    const first = await send(path, body, { ...signed, [id]: 'one' })
    expect(first.status).toBe(202)
    for (const other of ['two', 'three'])
      expect(await send(path, body, { ...signed, [id]: other })).toMatchObject({
        status: 202,
        body: { job_id: first.body.job_id },
      })
    const next = '{"pay":2}'
    const second = await send(path, next, { [header]: prefix + sign(secret, next), [id]: 'one' })
    expect(second.body.job_id).not.toBe(first.body.job_id)
  })

  test('whose id and time are signed is identified by its id, which cannot be changed', async () => {
    const signature = {
      scheme: 'hmac',
      header: 'x-sig',
      timestamp_header: 'x-time',
      delivery_id_header: 'x-id',
      content: '{delivery_id}.{timestamp}.{body}',
    }
    const { path, secret } = await createHook({ signature }, await savePathway(echo))
    const body = '{"pay":1}'
    const deliver = (id: string, claimed = id, time = String(Math.floor(Date.now() / 1_000))) =>
      send(path, body, { 'x-sig': sign(secret, `${id}.${time}.${body}`), 'x-id': claimed, 'x-time': time })
    const first = await deliver('one')
    expect(first.status).toBe(202)
    expect((await deliver('one')).body.job_id).toBe(first.body.job_id)
    expect((await deliver('two')).body.job_id).not.toBe(first.body.job_id)
    expect((await deliver('one', 'three')).status).toBe(401)
  })

  test.each([
    [{ scheme: 'hmac', header: 'x-sig', delivery_id_header: 'x-id' }],
    [{ scheme: 'hmac', header: 'x-sig', delivery_id_header: 'x-id', content: '{body}' }],
    [{ scheme: 'hmac', header: 'x-sig', content: '{delivery_id}.{body}' }],
  ])('requires an id that the signature covers: %j', async signature => {
    const target = { type: 'pathway', ref: await savePathway(echo) }
    const trigger = { title: 'Hook', trigger_type: 'webhook', target, webhook: { signature } }
    expect(await post('/v1/triggers', trigger)).toMatchObject({ status: 400 })
  })
})

test('the caller of a hook learns that a run failed, but not where or why', async () => {
  const failing = await savePathway(leaking)
  const signature = { scheme: 'none' }
  const waiting = await createHookWithoutSecret({ signature, respond: 'sync' }, failing)
  const failed = await stranger().post<Reply>(waiting.path, { a: 1 })
  expect(failed).toMatchObject({ status: 502, body: { code: 'RUN_FAILED' } })
  expect(JSON.stringify(failed.body)).not.toMatch(LEAKS)
  const mapped = await createHookWithoutSecret({ signature }, failing, { input: { a: '${event.body.secret_node.x}' } })
  const refused = await stranger().post<Reply>(mapped.path, { a: 1 })
  expect(refused.status).toBe(400)
  expect(JSON.stringify(refused.body)).not.toMatch(LEAKS)
  const { body } = await context.workspace.client.get<{ data: FiringView[] }>(`/v1/triggers/${mapped.id}/runs`)
  expect(body.data[0]?.reason).toMatch(/secret_node/)
})

async function createHookWithoutSecret(webhook: object, target: string, fields: object = {}) {
  const trigger = {
    title: 'Hook',
    trigger_type: 'webhook',
    target: { type: 'pathway', ref: target },
    webhook,
    ...fields,
  }
  const { status, body } = await post<TriggerView>('/v1/triggers', trigger)
  expect(status).toBe(201)
  const { body: token } = await post<IssuedHookToken>(`/v1/triggers/${body.id}/rotate-token`)
  return { id: body.id, path: new URL(token.url, 'http://own').pathname }
}

/** Creates a receptor for the pathway, and a visitor's share token. */
async function openReceptor(slug: string, ref: string): Promise<string> {
  const target = { type: 'pathway', ref }
  expect((await post('/v1/receptors', { slug, title: 'Door', target })).status).toBe(201)
  const owner = await signInAs(context.stack, context.workspace, 'user:olga', 'owner')
  const share = { name: 'visitor', target: { type: 'receptor', id: slug } }
  const { status, body } = await owner.send('POST', '/v1/share-tokens', share)
  expect(status).toBe(201)
  return body.share_token
}

test('a visitor learns that a run failed, but not where or why', async () => {
  const { client, slug } = context.workspace
  const t = await openReceptor('leaky', await savePathway(leaking))
  const said = await stranger().post<Reply>(`/v1/public/receptors/${slug}/leaky/invoke`, { t, message: 'Hello' })
  expect(said.status).toBe(202)
  const { job_id, trace_id } = said.body
  // A member sees all details.
  expect(await jobWith(client, job_id, 'failed')).toMatchObject({ failedReason: expect.stringMatching(LEAKS) })
  const stream = await fetch(`${context.stack.baseUrl}/v1/public/jobs/${job_id}/stream?share=${t}&trace=${trace_id}`)
  const events = await collect(readEvents(stream.body as ReadableStream<Uint8Array>, () => undefined))
  const data = events.flatMap(event => (event.data as { type: string } | undefined) ?? [])
  expect(data.filter(({ type }) => type !== 'status')).toEqual([
    { type: 'error', code: 'RUN_FAILED', message: `Run ${job_id} failed` },
  ])
  const trace = await stranger().get(`/v1/public/traces/${trace_id}?t=${t}`)
  expect(trace.status).toBe(200)
  expect(JSON.stringify([events, trace.body, said.body])).not.toMatch(LEAKS)
})

test('a visitor gets no details about a problem in the runs behind a receptor', async () => {
  const { client, slug } = context.workspace
  const ref = await savePathway(leaking)
  const t = await openReceptor('gone', ref)
  expect((await client.del(`/v1/pathways/${ref}`)).status).toBeLessThan(300)
  const message = { t, message: 'Hello' }
  const refused = await stranger().post<Reply>(`/v1/public/receptors/${slug}/gone/invoke`, message)
  expect([404, 409]).toContain(refused.status)
  expect(refused.body.message).toMatch(/^(The receptor|Receptor) /)
  expect(JSON.stringify(refused.body)).not.toContain(ref)
})
