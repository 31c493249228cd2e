import { createECDH, type ECDH, randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import ece from 'http_ece'
import { importJWK, jwtVerify } from 'jose'
import { createAuthority } from '../clients/certificates.ts'

/** A message as a browser receives it. */
export interface PushMessage {
  data: { title: string; body: string; url: string | null; tag: string }
  topic: string | undefined
  ttl: number
  /** Where the push service can reach the sender. */
  contact: string
}

/** A browser that has subscribed. */
export interface PushBrowser {
  subscription: { endpoint: string; expirationTime: null; keys: { p256dh: string; auth: string } }
  messages: PushMessage[]
  /** Ends the subscription. */
  unsubscribe(): void
  /** Makes the next request fail with this status. */
  fail(status: number, headers?: Record<string, string>): void
  /** Delivers the next message without a response. */
  hang(): void
}

/** A push service (RFC 8030) that checks who sends (RFC 8292), and browsers that decrypt messages (RFC 8291). */
export interface PushServer {
  /** File with the certificate of the authority that clients must trust. */
  certificate: string
  /** Subscribes a browser with the public key of a sender. */
  subscribe(publicKey: string): PushBrowser
  close(): Promise<void>
}

const MAX_BYTES = 4_096
const MAX_TOKEN_SECONDS = 86_400
const TOPIC = /^[\w-]{1,32}$/
const VAPID = /^vapid t=(?<token>[\w.-]+), k=(?<key>[\w-]+)$/

interface Subscriber {
  publicKey: string
  privateKey: ECDH
  browser: PushBrowser
  failures: { status: number; headers: Record<string, string> }[]
  hangs: boolean
}

/** A request that the service rejects. */
class Rejected extends Error {
  readonly status: number
  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

export async function startPushServer(): Promise<PushServer> {
  const authority = await createAuthority('push services')
  const folder = mkdtempSync(join(tmpdir(), 'push-'))
  const certificate = join(folder, 'authority.crt')
  writeFileSync(certificate, authority.cert)
  const subscribers = new Map<string, Subscriber>()
  let origin = ''

  async function verifySender(header = '', publicKey: string): Promise<string> {
    const { token = '', key = '' } = VAPID.exec(header)?.groups ?? {}
    if (key !== publicKey) throw new Rejected(403, 'The key is not that of the subscription')
    const point = Buffer.from(key, 'base64url')
    const [x, y] = [point.subarray(1, 33), point.subarray(33)].map(bytes => bytes.toString('base64url'))
    const jwk = await importJWK({ kty: 'EC', crv: 'P-256', x, y }, 'ES256')
    const options = { algorithms: ['ES256'], audience: origin, requiredClaims: ['exp', 'sub'] }
    const { payload } = await jwtVerify(token, jwk, options).catch((error: Error) => {
      throw new Rejected(403, error.message)
    })
    if ((payload.exp ?? 0) > Date.now() / 1_000 + MAX_TOKEN_SECONDS) throw new Rejected(403, 'The token is too long')
    if (!/^(?:mailto:|https:)/.test(payload.sub ?? '')) throw new Rejected(403, 'The token has no contact')
    return payload.sub ?? ''
  }

  async function accept(request: IncomingMessage, subscriber: Subscriber): Promise<PushMessage> {
    const { headers, method } = request
    const { publicKey, privateKey, browser } = subscriber
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = Buffer.concat(chunks)
    if (method !== 'POST' || !/^\d+$/.test(String(headers['ttl']))) throw new Rejected(400, 'TTL is required')
    const contact = await verifySender(headers.authorization, publicKey)
    if (headers['content-encoding'] !== 'aes128gcm') throw new Rejected(415, 'aes128gcm is required')
    if (body.length > MAX_BYTES) throw new Rejected(413, 'The message is too large')
    const topic = headers['topic']?.toString()
    if (topic !== undefined && !TOPIC.test(topic)) throw new Rejected(400, 'The topic is invalid')
    const authSecret = browser.subscription.keys.auth
    const text = ece.decrypt(body, { version: 'aes128gcm', privateKey, authSecret }).toString()
    return { data: JSON.parse(text) as PushMessage['data'], topic, ttl: Number(headers['ttl']), contact }
  }

  async function reply(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const subscriber = subscribers.get(request.url ?? '')
    if (!subscriber) return void request.resume().on('end', () => response.writeHead(410).end())
    try {
      const message = await accept(request, subscriber)
      const failure = subscriber.failures.shift()
      if (failure) return void response.writeHead(failure.status, failure.headers).end()
      subscriber.browser.messages.push(message)
      if (subscriber.hangs) return void (subscriber.hangs = false)
      response.writeHead(201, { Location: `${origin}/message/${randomUUID()}` }).end()
    } catch (error) {
      const { message } = error as Error
      response.writeHead(error instanceof Rejected ? error.status : 500).end(message)
    }
  }

  const server = createServer(await authority.issue('localhost'), (request, response) => void reply(request, response))
  server.listen(0, 'localhost')
  await once(server, 'listening')
  origin = `https://localhost:${(server.address() as AddressInfo).port}`

  return {
    certificate,
    subscribe(publicKey) {
      const path = `/push/${randomUUID()}`
      const privateKey = createECDH('prime256v1')
      const p256dh = privateKey.generateKeys('base64url')
      const keys = { p256dh, auth: randomBytes(16).toString('base64url') }
      const browser: PushBrowser = {
        subscription: { endpoint: origin + path, expirationTime: null, keys },
        messages: [],
        unsubscribe: () => void subscribers.delete(path),
        fail: (status, headers = {}) => void subscriber.failures.push({ status, headers }),
        hang: () => void (subscriber.hangs = true),
      }
      const subscriber: Subscriber = { publicKey, privateKey, browser, failures: [], hangs: false }
      subscribers.set(path, subscriber)
      return browser
    },
    close: () =>
      new Promise(resolve => {
        rmSync(folder, { recursive: true })
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
