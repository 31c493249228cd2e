import { pino } from 'pino'
import { createHttpActivity } from '../../../activities/tools/http-node/http.ts'
import { createSecrets } from '../../../activities/tools/secrets.ts'
import { createOutbound, type Outbound } from '../../../services/tools/outbound/client.ts'
import type { StepInput, StepResult } from '../../../activities/types.ts'
import type { JsonObject } from '../../../domain/shared/json/json.ts'
import { activityEnvironment } from '../../support/stack/activity-environment.ts'
import { startHttpServer, type TestServer } from '../../support/stack/http-server.ts'
import { type Ledger, startLedger } from '../../support/shared/ledger.ts'
import { waitUntil } from '../../support/stack/process.ts'
import { stepInput } from '../../support/runs/step-input.ts'

let ledger: Ledger
let odd: TestServer
let outbound: Outbound
let http: (input: StepInput) => Promise<StepResult>

beforeAll(async () => {
  ledger = await startLedger()
  odd = await startHttpServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://odd')
    response.statusCode = Number(url.searchParams.get('status') ?? 200)
    for (const [name, value] of url.searchParams) if (name !== 'status') response.setHeader(name, value)
    if (url.pathname === '/echo') response.end(JSON.stringify({ headers: request.headers, url: request.url }))
    else response.end(Buffer.from(url.pathname.slice(1), 'base64url'))
  })
  outbound = createOutbound({ allow: ['127.0.0.0/8'], components: [], timeoutMs: 5_000, maxBytes: 1_000_000 })
  http = createHttpActivity({ outbound, secrets: secretsFor(new URL(odd.url).host) })
})
afterAll(() => Promise.all([ledger.close(), odd.close(), outbound.close()]))

const secretsFor = (host: string) =>
  createSecrets({
    source: { find: async () => new Map([['key', { value: 's3cret/key', hosts: [host] }]]) },
    allow: ['127.0.0.0/8'],
    log: pino({ level: 'silent' }),
  })

const run = (given: JsonObject, info: { attempt?: number; isLocal?: boolean } = {}): Promise<StepResult> =>
  activityEnvironment(info).run(http, stepInput({ type: 'http', with: given }))

const failure = (
  given: JsonObject,
): Promise<{ code: string; retryable: boolean; message: string; retryAfterMs?: number }> =>
  run(given).then(
    () => Promise.reject(new Error('it was expected to fail')),
    error => error,
  )

const page = (body: string, query: string): string => `${odd.url}/${Buffer.from(body).toString('base64url')}?${query}`

describe('an http node', () => {
  test('posts JSON and returns status, headers and the parsed body', async () => {
    const { output } = await run({
      method: 'post',
      url: `${ledger.url}/pay`,
      json: { amount: 12.5 },
      headers: { 'X-Run': 7 },
    })
    expect(output).toMatchObject({
      status: 200,
      headers: { 'content-type': 'application/json' },
      body: { received: { amount: 12.5 } },
    })
    expect(ledger.requests.at(-1)).toMatchObject({
      method: 'POST',
      headers: { 'content-type': 'application/json', 'user-agent': 'ganglion', 'x-run': '7' },
    })
  })

  test('sends a text body unchanged', async () => {
    await run({ method: 'PUT', url: `${ledger.url}/text`, body: 'a,b\n1,2', headers: { 'Content-Type': 'text/csv' } })
    expect(ledger.requests.at(-1)).toMatchObject({ body: 'a,b\n1,2', headers: { 'content-type': 'text/csv' } })
  })

  test('decodes text in its charset, and returns broken JSON as text', async () => {
    expect((await run({ url: page('hello', 'content-type=text/plain') })).output).toMatchObject({ body: 'hello' })
    expect((await run({ url: page('{"a":', 'content-type=application/json') })).output).toMatchObject({ body: '{"a":' })
    const latin = `${odd.url}/${Buffer.from([0x63, 0x61, 0x66, 0xe9]).toString('base64url')}?content-type=text/plain;charset=iso-8859-1`
    expect((await run({ url: latin })).output).toMatchObject({ body: 'café' })
    expect((await run({ url: page('{"a":1}', 'content-type=application/problem%2Bjson') })).output).toMatchObject({
      body: { a: 1 },
    })
  })

  test('returns deeply nested JSON as text', async () => {
    const nested = '['.repeat(5_000) + ']'.repeat(5_000)
    expect((await run({ url: page(nested, 'content-type=application/json') })).output).toMatchObject({ body: nested })
  })
})

describe('the idempotency key', () => {
  const keyOf = () => ledger.requests.at(-1)?.key

  test('contains the job and the visit, and is the same for each attempt', async () => {
    const url = `${ledger.url}/order`
    const first = await run({ method: 'POST', url, json: { n: 1 } })
    expect(keyOf()).toBe('job-1:step')
    const second = await run({ method: 'POST', url, json: { n: 1 } }, { attempt: 2 })
    expect(keyOf()).toBe('job-1:step')
    expect(second.output).toMatchObject({ body: { id: (first.output as { body: { id: string } }).body.id } })
  })

  test.each(['PUT', 'PATCH', 'DELETE'])('is sent with %s', async method => {
    await run({ method, url: `${ledger.url}/any` })
    expect(keyOf()).toBe('job-1:step')
  })

  test('is not sent with GET and HEAD', async () => {
    for (const method of ['GET', 'HEAD', 'get']) {
      await run({ method, url: `${ledger.url}/read` })
      expect(keyOf()).toBeUndefined()
    }
  })

  test('is also sent by a local activity', async () => {
    await run({ method: 'POST', url: `${ledger.url}/local` }, { isLocal: true })
    expect(keyOf()).toBe('job-1:step')
  })

  test('can be set in the pathway', async () => {
    await run({
      method: 'POST',
      url: `${ledger.url}/own`,
      headers: { 'IDEMPOTENCY-KEY': 'mine', 'User-Agent': 'acme' },
    })
    expect(ledger.requests.at(-1)?.headers).toMatchObject({ 'idempotency-key': 'mine', 'user-agent': 'acme' })
  })

  test('of a node with a non-ASCII name is a valid header', async () => {
    const input = stepInput({ type: 'http', with: { method: 'POST', url: `${ledger.url}/utf` }, key: 'größe 😀' })
    await activityEnvironment().run(http, input)
    expect(keyOf()).toBe('job-1:gr%C3%B6%C3%9Fe%20%F0%9F%98%80')
  })
})

describe('any status other than 2xx', () => {
  test.each([
    [400, false],
    [401, false],
    [404, false],
    [409, false],
    [304, false],
    [408, true],
    [425, true],
    [429, true],
    [500, true],
    [503, true],
  ])('%d: retryable is %s', async (status, retryable) => {
    expect(await failure({ url: page('no', `status=${status}`) })).toMatchObject({ code: `HTTP_${status}`, retryable })
  })

  test('includes the status and the beginning of the body', async () => {
    const { message } = await failure({ url: page('x'.repeat(2_000), 'status=500') })
    expect(message).toBe(`127.0.0.1:${odd.port} returned 500: ${'x'.repeat(500)}`)
  })

  test('honors Retry-After, up to a minute', async () => {
    expect((await failure({ url: page('', 'status=503&retry-after=7') })).retryAfterMs).toBe(7_000)
    expect((await failure({ url: page('', 'status=503&retry-after=7000') })).retryAfterMs).toBe(60_000)
    expect((await failure({ url: page('', 'status=503&retry-after=soon') })).retryAfterMs).toBeUndefined()
    const date = new Date(Date.now() + 30_000).toUTCString()
    expect((await failure({ url: page('', `status=429&retry-after=${date}`) })).retryAfterMs).toBeGreaterThan(20_000)
  })

  test('does not repeat secrets that the server echoes', async () => {
    const headers = { Authorization: 'Bearer s3cret-token', 'X-Api-Key': 's3cret-key', Accept: 'application/json' }
    const { message } = await failure({ url: `${odd.url}/echo?status=400&access_token=s3cret-query`, headers })
    expect(message).toContain('[redacted]')
    expect(message).toContain('application/json')
    expect(message).not.toContain('s3cret')
  })
})

describe('invalid requests', () => {
  test.each<[string, JsonObject, string]>([
    ['no URL', {}, 'NODE_INPUT_INVALID'],
    ['a URL that is not text', { url: 5 }, 'NODE_INPUT_INVALID'],
    ['headers that are not text', { url: 'http://x.test', headers: { a: { b: 1 } } }, 'NODE_INPUT_INVALID'],
    ['two bodies', { url: 'http://x.test', json: 1, body: 'x' }, 'NODE_INPUT_INVALID'],
    ['a private address', { url: 'http://169.254.169.254/' }, 'BLOCKED_ADDRESS'],
    ['a scheme other than HTTP', { url: 'file:///etc/passwd' }, 'BAD_URL'],
  ])('%s', async (_what, given, code) => {
    expect(await failure(given)).toMatchObject({ code, retryable: false })
  })
})

test('a cancelled call is aborted, and the server sees the abort', async () => {
  const env = activityEnvironment()
  const work = env.run(http, stepInput({ type: 'http', with: { method: 'POST', url: `${ledger.url}/slow?hang=true` } }))
  const call = await waitUntil(() => ledger.requests.find(({ path }) => path === '/slow'))
  env.cancel()
  await expect(work).rejects.toMatchObject({ name: 'CancelledFailure' })
  await waitUntil(() => call.aborted_at)
})

describe('a secret in a header', () => {
  const headers = { Authorization: { secret: 'key', prefix: 'Bearer ' } }

  test('is sent after its prefix, and redacted from the response', async () => {
    const { output } = await run({ url: `${odd.url}/echo`, headers })
    expect(JSON.stringify(output)).toContain('Bearer [redacted]')
    expect(JSON.stringify(output)).not.toContain('s3cret')
    const echoed = Buffer.from('no s3cret/key here').toString('base64url')
    expect((await failure({ url: `${odd.url}/${echoed}?status=403`, headers })).message).toContain('no [redacted] here')
  })

  test('is sent only to its allowed hosts', async () => {
    const { code, message } = await failure({ url: `${ledger.url}/pay`, headers })
    expect([code, message]).toEqual(['SECRET_NOT_AVAILABLE', expect.stringContaining('"key"')])
  })

  test('does not follow redirects to other hosts', async () => {
    expect((await failure({ url: `${odd.url}/echo`, headers: { Accept: { secret: 'key' } } })).code).toBe(
      'NODE_INPUT_INVALID',
    )
  })
})
