import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer, type Socket } from 'node:net'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { createOutbound, type Outbound, type OutboundSettings } from '../../../services/tools/outbound/client.ts'
import type { StepError } from '../../../domain/runs/step-error.ts'
import { readBody, startHttpServer, type TestServer } from '../../support/stack/http-server.ts'

type Handler = (request: IncomingMessage, response: ServerResponse, url: URL) => void

const LOOPBACK = ['127.0.0.0/8', '::1/128']
const opened: { close(): Promise<void> }[] = []
const seen: { method?: string; url?: string; headers: IncomingMessage['headers']; body: string }[] = []
let server: TestServer
let other: TestServer

function outbound(settings: Partial<OutboundSettings> = {}): Outbound {
  const client = createOutbound({ allow: LOOPBACK, components: [], timeoutMs: 5_000, maxBytes: 100_000, ...settings })
  opened.push(client)
  return client
}

const failure = (work: Promise<unknown>): Promise<StepError> =>
  work.then(
    () => Promise.reject(new Error('it was expected to fail')),
    error => error,
  )

const routes: Record<string, Handler> = {
  '/plain': (_request, response) => response.setHeader('set-cookie', 'a=b').end('hello'),
  '/gzip': (_request, response) => response.setHeader('content-encoding', 'gzip').end(gzipSync('squeezed')),
  '/br': (_request, response) => response.setHeader('content-encoding', 'br').end(brotliCompressSync('squeezed')),
  '/broken-gzip': (_request, response) => response.setHeader('content-encoding', 'gzip').end('this is not gzip'),
  '/bomb': (_request, response) =>
    response.setHeader('content-encoding', 'gzip').end(gzipSync(Buffer.alloc(20_000_000))),
  '/endless': (_request, response) => pump(response),
  '/redirect': (_request, response, url) =>
    response
      .writeHead(Number(url.searchParams.get('status') ?? 302), { location: url.searchParams.get('to') ?? '/plain' })
      .end('moved'),
  '/silent': () => undefined,
  '/half': (_request, response) => void response.writeHead(200).write('begun'),
  '/reset': request => request.socket.destroy(),
}

function pump(response: ServerResponse): void {
  const timer = setInterval(() => response.write(Buffer.alloc(10_000)), 1)
  response.once('close', () => clearInterval(timer))
}

async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://test')
  seen.push({ method: request.method, url: request.url, headers: request.headers, body: await readBody(request) })
  routes[url.pathname]?.(request, response, url)
}

beforeAll(async () => {
  server = await startHttpServer((request, response) => void serve(request, response))
  other = await startHttpServer((request, response) => void serve(request, response))
})
beforeEach(() => seen.splice(0))
afterAll(() => Promise.all([server, other, ...opened].map(it => it.close())))

describe('connections', () => {
  test('loopback is blocked without the allowlist, by address and by name', async () => {
    const client = outbound({ allow: [] })
    for (const host of ['127.0.0.1', '127.1', '0x7f000001', '2130706433', '[::ffff:127.0.0.1]', '[::1]', 'localhost']) {
      const error = await failure(client.request({ method: 'GET', url: `http://${host}:${server.port}/plain` }))
      expect([host, error.code, error.retryable]).toEqual([host, 'BLOCKED_ADDRESS', false])
    }
    expect(seen).toHaveLength(0)
  })

  test('the allowlist allows loopback, by address and by name', async () => {
    for (const host of ['127.0.0.1', '127.1', '2130706433', 'localhost']) {
      const { status, body } = await outbound().request({ method: 'GET', url: `http://${host}:${server.port}/plain` })
      expect([status, body.toString()]).toEqual([200, 'hello'])
    }
  })

  test('a component is blocked despite the allowlist, by address and by name, but other loopback ports are not', async () => {
    const components = [{ host: 'localhost', port: server.port, isShared: false }]
    const client = outbound({ components })
    for (const host of ['127.0.0.1', '127.1', '2130706433', '[::1]', '[::ffff:127.0.0.1]', '0.0.0.0', 'localhost']) {
      const error = await failure(client.request({ method: 'GET', url: `http://${host}:${server.port}/plain` }))
      expect([host, error.code, error.retryable]).toEqual([host, 'BLOCKED_ADDRESS', false])
    }
    expect((await client.request({ method: 'GET', url: `${other.url}/plain` })).status).toBe(200)
    const detour = `${other.url}/redirect?to=${server.url}/plain`
    expect((await failure(client.request({ method: 'GET', url: detour }))).code).toBe('BLOCKED_ADDRESS')
    expect((await failure(client.open({ method: 'GET', url: server.url }))).code).toBe('BLOCKED_ADDRESS')
    expect(seen.map(({ url }) => new URL(url ?? '', 'http://test').pathname)).toEqual(['/plain', '/redirect'])
  })

  test('an allowlist entry with a port allows only that port, by address and by name', async () => {
    const client = outbound({ allow: [`127.0.0.1:${server.port}`] })
    for (const host of ['127.0.0.1', 'localhost']) {
      expect((await client.request({ method: 'GET', url: `http://${host}:${server.port}/plain` })).status).toBe(200)
      const error = await failure(client.request({ method: 'GET', url: `http://${host}:${other.port}/plain` }))
      expect([error.code, error.message]).toEqual(['BLOCKED_ADDRESS', expect.stringContaining(`${host}:${other.port}`)])
    }
  })

  test('a name is resolved once per connection, and only checked addresses are used', async () => {
    let lookupCount = 0
    const rebinding = async () => [{ address: lookupCount++ === 0 ? '198.51.100.7' : '127.0.0.1', family: 4 }]
    const client = outbound({ allow: [], resolve: rebinding })
    const url = `http://rebind.test:${server.port}/plain`
    expect((await failure(client.request({ method: 'GET', url }))).code).toBe('BLOCKED_ADDRESS')
    expect((await failure(client.request({ method: 'GET', url }))).code).toBe('BLOCKED_ADDRESS')
    expect(lookupCount).toBe(2)
    expect(seen).toHaveLength(0)
  })

  test('the connection goes to the address that was checked', async () => {
    let lookupCount = 0
    const resolve = async () =>
      lookupCount++ === 0 ? [{ address: '127.0.0.1', family: 4 }] : [{ address: '10.0.0.1', family: 4 }]
    const client = outbound({ allow: ['127.0.0.0/8'], resolve })
    const { body } = await client.request({ method: 'GET', url: `http://pinned.test:${server.port}/plain` })
    expect([body.toString(), lookupCount]).toEqual(['hello', 1])
  })

  test('only the permitted addresses of a name are tried', async () => {
    const resolve = async () => [
      { address: '10.255.255.1', family: 4 },
      { address: 'fd00::1', family: 6 },
      { address: '127.0.0.1', family: 4 },
    ]
    const { status } = await outbound({ resolve }).request({
      method: 'GET',
      url: `http://mixed.test:${server.port}/plain`,
    })
    expect(status).toBe(200)
  })

  test('a name that does not resolve fails with a retryable error', async () => {
    const error = await failure(outbound().request({ method: 'GET', url: 'http://nothing.invalid/' }))
    expect([error.code, error.retryable, error.mayHaveArrived]).toEqual(['CONNECTION_FAILED', true, false])
  })
})

describe('redirects', () => {
  test.each([
    'http://127.0.0.2/',
    'http://169.254.169.254/latest/meta-data/',
    'http://[::1]/',
    'http://0x7f000002/',
    '//127.0.0.2/',
  ])('to %s is blocked if only the first address is allowed', async to => {
    const client = outbound({ allow: ['127.0.0.1'] })
    const error = await failure(
      client.request({ method: 'GET', url: `${server.url}/redirect?to=${encodeURIComponent(to)}` }),
    )
    expect([error.code, error.retryable]).toEqual(['BLOCKED_ADDRESS', false])
  })

  test('to a name with a private address is blocked', async () => {
    const resolve = async () => [{ address: '10.0.0.1', family: 4 }]
    const client = outbound({ resolve })
    expect(
      (await failure(client.request({ method: 'GET', url: `${server.url}/redirect?to=http://inner.test/` }))).code,
    ).toBe('BLOCKED_ADDRESS')
  })

  test('to another scheme is blocked', async () => {
    expect(
      (await failure(outbound().request({ method: 'GET', url: `${server.url}/redirect?to=file:///etc/passwd` }))).code,
    ).toBe('BAD_URL')
  })

  test.each([
    [301, 'POST', 'GET', ''],
    [302, 'POST', 'GET', ''],
    [303, 'PUT', 'GET', ''],
    [301, 'PUT', 'PUT', 'x=1'],
    [307, 'POST', 'POST', 'x=1'],
    [308, 'POST', 'POST', 'x=1'],
  ])('after status %d for %s, the client sends %s', async (status, method, then, body) => {
    await outbound().request({
      method,
      url: `${server.url}/redirect?status=${status}`,
      body: 'x=1',
      headers: { 'Content-Type': 'text/plain' },
    })
    expect(seen.map(request => [request.method, request.body])).toEqual([
      [method, 'x=1'],
      [then, body],
    ])
    expect(seen[1]?.headers['content-type']).toBe(body ? 'text/plain' : undefined)
  })

  test('send credentials to the same origin, but not to another one', async () => {
    const headers = {
      Authorization: 'Bearer s3cret',
      Cookie: 'a=b',
      'X-Api-Key': 's3cret',
      'Idempotency-Key': 'k',
      Accept: 'text/plain',
    }
    await outbound().request({ method: 'GET', url: `${server.url}/redirect`, headers })
    await outbound().request({ method: 'GET', url: `${server.url}/redirect?to=${other.url}/plain`, headers })
    expect(seen[1]?.headers).toMatchObject({ authorization: 'Bearer s3cret', 'x-api-key': 's3cret' })
    expect(seen[3]?.headers).toMatchObject({ accept: 'text/plain', 'idempotency-key': 'k' })
    for (const name of ['authorization', 'cookie', 'x-api-key']) expect(seen[3]?.headers).not.toHaveProperty(name)
  })

  test('are followed up to five times, and loops end', async () => {
    const nested = Array.from({ length: 4 }).reduce(
      (to: string) => `/redirect?to=${encodeURIComponent(to)}`,
      '/redirect?to=/plain',
    )
    expect((await outbound().request({ method: 'GET', url: server.url + nested })).body.toString()).toBe('hello')
    const error = await failure(
      outbound().request({
        method: 'GET',
        url: `${server.url}/redirect?to=${encodeURIComponent(`/redirect?to=${nested}`)}`,
      }),
    )
    expect([error.code, error.retryable]).toEqual(['TOO_MANY_REDIRECTS', false])
  })
})

describe('bodies', () => {
  test.each(['/gzip', '/br'])('%s is decompressed', async path => {
    expect((await outbound().request({ method: 'GET', url: server.url + path })).body.toString()).toBe('squeezed')
  })

  test('the limit counts decompressed bytes', async () => {
    for (const path of ['/bomb', '/endless']) {
      const error = await failure(outbound().request({ method: 'GET', url: server.url + path }))
      expect([error.code, error.retryable]).toEqual(['RESPONSE_TOO_LARGE', false])
    }
  })

  test('the body of a HEAD response for a compressed page is not decompressed', async () => {
    expect((await outbound().request({ method: 'HEAD', url: `${server.url}/gzip` })).body).toHaveLength(0)
  })

  test('damaged and reset connections fail with a retryable error', async () => {
    for (const path of ['/broken-gzip', '/reset']) {
      const error = await failure(outbound().request({ method: 'GET', url: `${server.url}${path}?t=s3cret` }))
      expect([error.code, error.retryable, error.mayHaveArrived]).toEqual(['CONNECTION_FAILED', true, true])
      expect(error.message).not.toContain('s3cret')
    }
  })

  test('cookies from the server are dropped', async () => {
    expect((await outbound().request({ method: 'GET', url: `${server.url}/plain` })).headers).not.toHaveProperty(
      'set-cookie',
    )
  })
})

describe('request restrictions', () => {
  const refused =
    'Host content-length Connection Transfer-Encoding Upgrade Proxy-Authorization TE Keep-Alive Expect'.split(' ')
  test.each([...refused, 'bad name', 'bad\r\nname', ''])('the header "%s" is rejected', async name => {
    const error = await failure(
      outbound().request({ method: 'GET', url: `${server.url}/plain`, headers: { [name]: 's3cret' } }),
    )
    expect([error.code, error.retryable]).toEqual(['BAD_REQUEST', false])
    expect(error.message).not.toContain('s3cret')
    expect(seen).toHaveLength(0)
  })

  test('line breaks in a value are rejected, and the error does not repeat the value', async () => {
    const error = await failure(
      outbound().request({ method: 'GET', url: `${server.url}/plain`, headers: { a: 's3cret\r\nHost: x' } }),
    )
    expect([error.code, error.message.includes('s3cret')]).toEqual(['BAD_REQUEST', false])
  })

  test.each(['CONNECT', 'TRACE', 'G ET', ''])('the method "%s" is rejected', async method => {
    expect((await failure(outbound().request({ method, url: `${server.url}/plain` }))).code).toBe('BAD_REQUEST')
  })
})

describe('time', () => {
  test.each(['/silent', '/half', '/endless'])('the limit covers the whole exchange: %s', async path => {
    const error = await failure(
      outbound({ timeoutMs: 200, maxBytes: 1e9 }).request({ method: 'GET', url: server.url + path }),
    )
    expect([error.code, error.retryable]).toEqual(['OUTBOUND_TIMEOUT', true])
  })

  test.each(['/silent', '/half', '/endless'])('a cancel ends the exchange within 100 ms: %s', async path => {
    await expectCancel(server.url + path, outbound({ maxBytes: 1e9 }))
  })

  test('a cancel ends a connection attempt', async () => {
    const resolve = () => new Promise<never>(() => undefined)
    await expectCancel('http://slow-dns.test/', outbound({ resolve }))
  })

  test('a cancel ends an unanswered TLS handshake', async () => {
    const sockets: Socket[] = []
    const mute = createServer(socket => void sockets.push(socket))
    await new Promise<void>(resolve => mute.listen(0, '127.0.0.1', resolve))
    const { port } = mute.address() as { port: number }
    await expectCancel(`https://127.0.0.1:${port}/`, outbound())
    for (const socket of sockets) socket.destroy()
    mute.close()
  })

  test('a cancel before the start prevents any request', async () => {
    const reason = new Error('stopped')
    await expect(
      outbound().request({ method: 'GET', url: `${server.url}/plain`, signal: AbortSignal.abort(reason) }),
    ).rejects.toBe(reason)
    expect(seen).toHaveLength(0)
  })
})

async function expectCancel(url: string, client: Outbound): Promise<void> {
  const controller = new AbortController()
  const reason = new Error('stopped')
  const work = client.request({ method: 'GET', url, signal: controller.signal })
  setTimeout(() => controller.abort(reason), 60)
  await expect(work).rejects.toBe(reason)
}
