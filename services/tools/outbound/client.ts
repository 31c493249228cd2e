import type { Readable } from 'node:stream'
import { Agent, type Dispatcher } from 'undici'
import type { Endpoint } from '../../../config/endpoints.ts'
import { permitsHost } from '../../../domain/tools/allowed-hosts.ts'
import { orAborted } from '../../../domain/shared/or-aborted.ts'
import { StepError } from '../../../domain/runs/step-error.ts'
import { createAddressRule } from './address-rule.ts'
import { createComponentRule } from './component-rule.ts'
import {
  badRequestError,
  connectionError,
  hostNotAllowedError,
  outboundTimeoutError,
  responseTooLargeError,
  tooManyRedirectsError,
} from './errors.ts'
import { createFindPermitted, createGuardedConnector } from './guarded-connect.ts'
import { checkHeaders, plainHeaders } from './headers.ts'
import { ACCEPT_ENCODING, bounded, readBody } from './read-body.ts'
import { type Hop, isRedirect, nextHop } from './redirect.ts'
import { type Resolve, resolveBySystem } from './resolve.ts'
import { noteSent } from './sent-requests.ts'
import { parseTarget } from './target.ts'

export interface OutboundRequest {
  method: string
  url: string
  headers?: Record<string, string>
  body?: string | Uint8Array
  signal?: AbortSignal
  /** Names of headers that contain secret values. If set, the node's record includes the request's hash. */
  secretHeaders?: string[]
  /** Hosts that the request may reach, including by redirects. If absent, any host is allowed. */
  allowed_hosts?: readonly string[]
  /** Maximum size of the response body after decompression. Default: OUTBOUND_MAX_BYTES. */
  maxBytes?: number
}

export interface OutboundResponse {
  status: number
  /** Header names are in lowercase. `set-cookie` is omitted. */
  headers: Record<string, string>
  body: Buffer
}

export interface OutboundStream {
  status: number
  headers: Record<string, string>
  body: Readable
}

/** The client for all requests to URLs that users provide. */
export interface Outbound {
  /**
   * Throws StepError (BAD_URL, BAD_REQUEST, BLOCKED_ADDRESS, HOST_NOT_ALLOWED, TOO_MANY_REDIRECTS,
   * RESPONSE_TOO_LARGE; retryable: OUTBOUND_TIMEOUT, CONNECTION_FAILED) or the signal's reason. Never throws because
   * of an HTTP status.
   */
  request(request: OutboundRequest): Promise<OutboundResponse>
  /**
   * Returns the response with its body as a stream. The stream throws the same errors as `request`. It must be read
   * to its end or destroyed. Redirects are not followed.
   */
  open(request: OutboundRequest): Promise<OutboundStream>
  /**
   * Returns an address of a host for a connection that is not HTTP. Throws StepError BLOCKED_ADDRESS, and
   * CONNECTION_FAILED if the host has no address.
   */
  findAddress(host: string, port: number): Promise<string>
  close(): Promise<void>
}

export interface OutboundSettings {
  /** CIDRs of private addresses that may be called, each with all ports or a single port. */
  allow: string[]
  /** Endpoints that must not be called, even if `allow` contains their addresses. */
  components: Endpoint[]
  /** Time limit from the first byte sent to the last byte read, including redirects. */
  timeoutMs: number
  /** Maximum size of a response body after decompression. */
  maxBytes: number
  /** Default: the system's resolver. */
  resolve?: Resolve
}

const MAX_REDIRECTS = 5
const CONNECT_TIMEOUT_MS = 10_000
const METHOD = /^[A-Z][A-Z-]{0,19}$/
const REFUSED_METHODS = new Set(['CONNECT', 'TRACE'])

export function createOutbound(settings: OutboundSettings): Outbound {
  const { allow, components, resolve = resolveBySystem } = settings
  const permits = createAddressRule(allow, createComponentRule(components, resolve))
  // The timeout covers the whole exchange, so undici's own timeouts are disabled. HTTP/2 has no advantage here.
  const findPermitted = createFindPermitted({ permits, resolve, timeoutMs: CONNECT_TIMEOUT_MS })
  const agent = new Agent({
    allowH2: false,
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: createGuardedConnector(findPermitted, CONNECT_TIMEOUT_MS),
  })
  return {
    async request(request) {
      const hop = firstHop(request)
      const signals = createSignals(settings.timeoutMs, request.signal)
      try {
        return await follow(agent, hop, request.maxBytes ?? settings.maxBytes, createSending(request, signals))
      } catch (error) {
        throw translate(error, hop.url.host, settings.timeoutMs, signals)
      }
    },
    async open(request) {
      const { headers, ...rest } = firstHop(request)
      const hop = { ...rest, headers: { ...headers, 'accept-encoding': 'identity' } }
      const { host } = hop.url
      const signals = createSignals(settings.timeoutMs, request.signal)
      const translated = (error: unknown) => translate(error, host, settings.timeoutMs, signals)
      try {
        const { statusCode, headers, body } = await send(agent, hop, createSending(request, signals))
        const { maxBytes = settings.maxBytes } = request
        const overflowError = () => responseTooLargeError(host, maxBytes)
        return {
          status: statusCode,
          headers: plainHeaders(headers),
          body: bounded(body, maxBytes, overflowError, translated),
        }
      } catch (error) {
        throw translated(error)
      }
    },
    async findAddress(host, port) {
      try {
        const [{ address }] = await findPermitted(host, port)
        return address
      } catch (error) {
        throw error instanceof StepError ? error : connectionError(host, error)
      }
    },
    close: () => agent.destroy(),
  }
}

interface Signals {
  caller?: AbortSignal
  timeout: AbortSignal
  either: AbortSignal
}

function createSignals(timeoutMs: number, caller?: AbortSignal): Signals {
  const timeout = AbortSignal.timeout(timeoutMs)
  return { caller, timeout, either: caller ? AbortSignal.any([caller, timeout]) : timeout }
}

function firstHop(request: OutboundRequest): Hop {
  const method = request.method.toUpperCase()
  if (!METHOD.test(method) || REFUSED_METHODS.has(method))
    throw badRequestError(`The method ${method.slice(0, 20)} is not supported`)
  const headers = { 'accept-encoding': ACCEPT_ENCODING, ...checkHeaders(request.headers ?? {}) }
  const { url, body, allowed_hosts } = request
  return { method, url: parseTarget(url), headers, body, allowed_hosts }
}

/** Options for sending the requests in a redirect chain. */
interface SendOptions {
  signal: AbortSignal
  note: (hop: Hop) => void
}

function createSending({ secretHeaders }: OutboundRequest, { either: signal }: Signals): SendOptions {
  const secret = secretHeaders && new Set(secretHeaders.map(name => name.toLowerCase()))
  return { signal, note: hop => secret && noteSent(hop, secret) }
}

async function follow(agent: Agent, first: Hop, maxBytes: number, sending: SendOptions): Promise<OutboundResponse> {
  let hop = first
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
    const response = await send(agent, hop, sending)
    const headers = plainHeaders(response.headers)
    if (!isRedirect(response.statusCode, headers.location)) {
      return { status: response.statusCode, headers, body: await receive(response, hop, headers, maxBytes) }
    }
    await response.body.dump({ limit: 16_384, signal: sending.signal })
    hop = nextHop(hop, response.statusCode, parseTarget(headers.location, hop.url))
  }
  throw tooManyRedirectsError(hop.url.host, MAX_REDIRECTS)
}

async function send(agent: Agent, hop: Hop, { signal, note }: SendOptions): Promise<Dispatcher.ResponseData> {
  const { method, url, headers, body, allowed_hosts } = hop
  if (allowed_hosts && !permitsHost(allowed_hosts, url)) throw hostNotAllowedError(url.host)
  note(hop)
  const options = { origin: url.origin, path: url.pathname + url.search, method, headers, body, signal }
  // undici checks the signal only after it has connected. An unreachable host must not delay a cancellation.
  return orAborted(agent.request(options), signal)
}

function receive(
  response: Dispatcher.ResponseData,
  hop: Hop,
  headers: Record<string, string>,
  maxBytes: number,
): Promise<Buffer> {
  const bodiless = hop.method === 'HEAD' || response.statusCode === 204 || response.statusCode === 304
  const encoding = bodiless ? undefined : headers['content-encoding']
  return readBody(response.body, encoding, maxBytes, () => responseTooLargeError(hop.url.host, maxBytes))
}

function translate(error: unknown, host: string, timeoutMs: number, { caller, timeout }: Signals): unknown {
  if (error instanceof StepError) return error
  if (caller?.aborted) return caller.reason
  if (timeout.aborted) return outboundTimeoutError(host, timeoutMs)
  return connectionError(host, error)
}
