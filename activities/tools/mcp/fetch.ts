import { Readable } from 'node:stream'
import type { Outbound } from '../../../services/tools/outbound/client.ts'
import type { Redactor } from '../../../domain/tools/redactor.ts'
import { connectionError } from '../../../services/tools/outbound/errors.ts'
import { isSafeToForward } from '../../../domain/tools/headers.ts'
import { StepError } from '../../../domain/runs/step-error.ts'
import { statusError } from '../errors.ts'
import { StringDecoder } from 'node:string_decoder'
import { quoteInexactNumbers } from '../../../domain/shared/json/parsing/exact-numbers.ts'

type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>

interface McpFetch {
  fetch: Fetch
  /** Rejects if a response is interrupted. Without this, the MCP client would wait until its timeout. */
  broken: Promise<never>
  /** Called with each received message, to detect a response that ends without an answer. */
  onMessage: (message: object) => void
}

interface Deps {
  outbound: Outbound
  redactor: Redactor
  signal: AbortSignal
}

const EXCERPT_BYTES = 16_384
/** Maximum time that the MCP client takes to deliver a received message, in milliseconds. */
const MAX_DELIVERY_MS = 500
const BODILESS = new Set([204, 205, 304])
/** The method with which the MCP client detects a server's revision. */
const PROBE = 'server/discover'
/** Statuses with which a server rejects any request, not only this method. */
const FINAL = new Set([401, 403, 408, 425, 429])
const MAX_REPLY_CHARS = 1_000_000

/**
 * Creates a `fetch` for the MCP client that uses the outbound client. GET requests get 405, because GET is used only
 * for messages that the server initiates.
 */
export function createMcpFetch({ outbound, redactor, signal }: Deps): McpFetch {
  const { promise: broken, reject } = Promise.withResolvers<never>()
  broken.catch(() => undefined)
  const answeredIds = new Set<unknown>()
  const expectAnswer = (id: unknown, host: string) => {
    const check = () => answeredIds.has(id) || reject(connectionError(host, undefined))
    setTimeout(check, MAX_DELIVERY_MS).unref()
  }
  const request: Fetch = async (url, init = {}) => {
    const { method = 'GET' } = init
    if (method === 'GET') return new Response(null, { status: 405 })
    const message = method === 'POST' ? parseRequest(init.body) : undefined
    const baseHeaders = Object.fromEntries(new Headers(init.headers))
    const secretHeaders = Object.keys(baseHeaders).filter(name => !isSafeToForward(name))
    const { status, headers, body } = await outbound.open({
      method,
      url: String(url),
      headers: baseHeaders,
      ...(message?.method === 'tools/call' && { secretHeaders }),
      body: typeof init.body === 'string' ? init.body : undefined,
      signal: init.signal ? AbortSignal.any([signal, init.signal]) : signal,
    })
    const { host } = new URL(String(url))
    // The MCP client destroys responses that it does not need. This is not a failure.
    body.on('error', error => error instanceof StepError && reject(error))
    if (message?.method === PROBE && !FINAL.has(status) && status < 500) {
      const text = await readReply(body, message.id)
      if (text === undefined && status < 300) throw connectionError(host, undefined)
      return new Response(text ?? '', { status, headers })
    }
    if (status >= 400 && method === 'POST') {
      throw statusError({ host, status, headers }, await readExcerpt(body), redactor)
    }
    if (message?.id !== undefined && status < 300) body.once('end', () => expectAnswer(message.id, host))
    if (BODILESS.has(status)) body.resume()
    const content = BODILESS.has(status)
      ? null
      : (Readable.toWeb(message?.method === 'tools/call' ? quoteNumbers(body) : body) as ReadableStream)
    return new Response(content, { status, headers })
  }
  // The MCP client wraps errors during its probe.
  const fetch: Fetch = (url, init) =>
    request(url, init).catch((error: unknown) => {
      if (error instanceof StepError) reject(error)
      throw error
    })
  const onMessage = (message: object) => 'id' in message && answeredIds.add(message.id)
  return { fetch, broken, onMessage }
}

/** Returns a request's id and method. A notification has no id. */
function parseRequest(body: unknown): { id?: unknown; method?: unknown } | undefined {
  const message = typeof body === 'string' ? (JSON.parse(body) as unknown) : undefined
  return typeof message === 'object' && message !== null && 'method' in message ? message : undefined
}

/**
 * Reads the reply to the probe, which older servers reject. Returns undefined if the reply is interrupted. An event
 * stream may stay open after the reply.
 */
async function readReply(body: Readable, id: unknown): Promise<string | undefined> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of body as AsyncIterable<Buffer>) {
    text += decoder.decode(chunk, { stream: true })
    const at = text.indexOf(JSON.stringify(id))
    if (text.length > MAX_REPLY_CHARS || (at !== -1 && text.startsWith('event') && text.includes('\n\n', at))) break
  }
  return text.includes(JSON.stringify(id)) || !/^(?:event|data|:)/.test(text) ? text : undefined
}

async function readExcerpt(body: Readable): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of body as AsyncIterable<Buffer>) {
    chunks.push(chunk)
    size += chunk.length
    if (size >= EXCERPT_BYTES) break
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** Event stream lines that do not contain JSON. */
const NO_DATA = /^(?:id|event|retry|):/

/**
 * Transforms a JSON body or event stream before the MCP client parses it. Numbers that parsing would change become
 * strings. JSON tokens never span lines.
 */
const quoteNumbers = (body: Readable): Readable => Readable.from(quoteLines(body), { objectMode: false })

async function* quoteLines(body: Readable): AsyncGenerator<string> {
  const decoder = new StringDecoder('utf8')
  let pieces: string[] = []
  for await (const chunk of body as AsyncIterable<Buffer>) {
    const text = decoder.write(chunk)
    const end = text.lastIndexOf('\n') + 1
    pieces.push(text.slice(0, end || text.length))
    if (end === 0) continue
    yield quoteText(pieces.join(''))
    pieces = [text.slice(end)]
  }
  yield quoteText(pieces.join('') + decoder.end())
}

const quoteText = (text: string): string =>
  text
    .split('\n')
    .map(line => (NO_DATA.test(line) ? line : quoteInexactNumbers(line)))
    .join('\n')
