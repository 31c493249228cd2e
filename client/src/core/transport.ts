import {
  AbortedError,
  type APIError,
  type ApiErrorFields,
  apiError,
  ConnectionError,
  GanglionError,
  TimeoutError,
} from '../errors.ts'
import { OPERATIONS } from '../generated/operations.ts'
import type { Data, OperationId } from '../types.ts'
import { type ApiResponse, readRateLimit } from './api-promise.ts'
import { buildAuthHeaders, type Credentials } from './credentials.ts'
import { mayRepeat, retryDelay } from './retries.ts'
import { linkSignals, sleep } from './signals.ts'

export interface RequestOptions {
  /** Aborts the call. */
  signal?: AbortSignal
  /** Milliseconds for the whole call, with its retries. */
  timeout?: number
  /** Further attempts after a failure that may pass. */
  maxRetries?: number
  /** For operations that take one; made up if absent. A call with the same key and body acts once in 24 hours. */
  idempotencyKey?: string
  /** The brain to work in. */
  brain?: string
  /** The version that a resource must still have, for operations that change one. */
  ifMatch?: number
  headers?: Record<string, string>
}

export interface Payload {
  query?: object
  /** JSON, or a form with files. */
  body?: object
}

/** `safe`: may be repeated. `key`: may be repeated with its Idempotency-Key. `no`: may take effect twice. */
export type Repeats = 'safe' | 'key' | 'no'

/** A request, before credentials and options. */
export interface RequestSpec extends Payload {
  method: string
  /** From the slash after the base URL on, without a query. */
  path: string
  repeats: Repeats
}

export interface TransportOptions {
  baseUrl: string
  credentials: Credentials
  brain?: string
  timeout: number
  maxRetries: number
  headers: Record<string, string>
  fetch: typeof fetch
}

interface Attempt {
  response: Response
  idempotencyKey?: string
}

/** Sends requests: credentials, brain, time limits, retries and idempotency keys. */
export class Transport {
  readonly options: TransportOptions
  #workspaceId: string | undefined

  constructor(options: TransportOptions) {
    this.options = options
  }

  /** Builds the request of an operation. */
  describe(id: OperationId, args: (string | number)[], payload: Payload): RequestSpec {
    const [method = '', template = '', repeats] = OPERATIONS[id].split(' ')
    const values = [...args]
    const path = template.replaceAll(/\{\w+\}/g, name => {
      const value = values.shift()
      if (value === undefined || value === '') throw new GanglionError(`${id} needs ${name}`)
      return encodeURIComponent(value)
    })
    return { method, path, repeats: repeats as Repeats, ...payload }
  }

  /** Sends a request and parses the JSON of its response; undefined for none. Markdown, where it is asked for, is a text. */
  json<T>(request: RequestSpec, options: RequestOptions = {}): Promise<ApiResponse<T>> {
    return this.#send(request, options, async response => {
      const text = await response.text()
      const isJson = response.headers.get('content-type')?.includes('json') ?? true
      return (text === '' ? undefined : isJson ? JSON.parse(text) : text) as T
    })
  }

  /** Sends a request and gives the response with its unread body. The time limit ends with its headers. */
  raw(request: RequestSpec, options: RequestOptions = {}): Promise<ApiResponse<Response>> {
    // The signal of the caller also ends the body, which is read later.
    return this.#send(request, options, response => Promise.resolve(response), true)
  }

  /** Resolves with the id of the workspace of the credential, which is asked for once. */
  async readWorkspaceId(options?: RequestOptions): Promise<string> {
    if (this.#workspaceId === undefined) {
      const { signal } = options ?? {}
      const { data } = await this.json<Data<'health.get'>>(this.describe('health.get', [], {}), { signal })
      if (!data.workspace) throw new GanglionError('The credential belongs to no workspace')
      this.#workspaceId = data.workspace.id
    }
    return this.#workspaceId
  }

  /** Sends a request once. Resolves with a response that is a success, whose body ends with the signal. */
  async once(request: RequestSpec, options: RequestOptions = {}, signal?: AbortSignal): Promise<Attempt> {
    const { baseUrl, credentials, fetch } = this.options
    const body =
      credentials.shareToken !== undefined && isPlain(request.body)
        ? { ...request.body, t: credentials.shareToken }
        : request.body
    const query =
      credentials.shareToken !== undefined && !request.body
        ? { ...request.query, t: credentials.shareToken }
        : request.query
    const headers = await this.#buildHeaders(request, options)
    if (isPlain(body)) headers['content-type'] = 'application/json'
    let response
    try {
      response = await fetch(`${baseUrl}${request.path}${buildQuery(query)}`, {
        method: request.method,
        headers,
        body: isPlain(body) ? JSON.stringify(body) : (body as RequestInit['body']),
        signal,
      })
    } catch (cause) {
      if (signal?.aborted) throw signal.reason
      throw new ConnectionError(`The service at ${baseUrl} could not be reached`, { cause })
    }
    const idempotencyKey = options.idempotencyKey
    if (response.ok) return { response, idempotencyKey }
    throw apiError(await readError(response, idempotencyKey))
  }

  async #send<T>(
    request: RequestSpec,
    requestOptions: RequestOptions,
    read: (response: Response) => Promise<T>,
    keepsSignal = false,
  ): Promise<ApiResponse<T>> {
    const { timeout = this.options.timeout, maxRetries = this.options.maxRetries, signal } = requestOptions
    const options = {
      ...requestOptions,
      idempotencyKey: requestOptions.idempotencyKey ?? (request.repeats === 'key' ? randomKey() : undefined),
    }
    const { controller, release } = linkSignals(signal)
    const deadline = Date.now() + timeout
    const timer = setTimeout(() => controller.abort(new TimeoutError(`No response in ${timeout} ms`)), timeout)
    try {
      for (let attempt = 0; ; attempt++) {
        try {
          return await this.#attempt(request, options, controller.signal, read)
        } catch (error) {
          const delay = retryDelay(error, attempt)
          if (controller.signal.aborted || attempt >= maxRetries || !mayRepeat(request, options, error)) throw error
          if (Date.now() + delay >= deadline) throw error
          await sleep(delay, controller.signal)
        }
      }
    } catch (error) {
      throw signal?.aborted && !GanglionError.is(error)
        ? new AbortedError('The call was aborted', { cause: signal.reason })
        : error
    } finally {
      clearTimeout(timer)
      if (!keepsSignal) release()
    }
  }

  async #attempt<T>(
    request: RequestSpec,
    options: RequestOptions,
    signal: AbortSignal,
    read: (response: Response) => Promise<T>,
  ): Promise<ApiResponse<T>> {
    const { response, idempotencyKey } = await this.once(request, options, signal)
    const data = await read(response).catch((cause: unknown) => {
      throw signal.aborted ? signal.reason : new ConnectionError('The connection broke within a response', { cause })
    })
    return {
      data,
      response,
      requestId: response.headers.get('x-request-id') ?? undefined,
      idempotencyKey,
      rateLimit: readRateLimit(response),
    }
  }

  async #buildHeaders(request: RequestSpec, options: RequestOptions): Promise<Record<string, string>> {
    const brain = options.brain ?? this.options.brain
    return {
      accept: 'application/json',
      ...(brain !== undefined && { 'x-brain-id': brain }),
      ...(options.idempotencyKey !== undefined && { 'idempotency-key': options.idempotencyKey }),
      ...(options.ifMatch !== undefined && { 'if-match': `"${options.ifMatch}"` }),
      ...(await buildAuthHeaders(this.options.credentials)),
      ...this.options.headers,
      ...options.headers,
    }
  }
}

/** JSON; forms and bytes are sent as they are. */
const isPlain = (body: object | undefined): body is object =>
  body !== undefined && (Array.isArray(body) || Object.getPrototypeOf(body) === Object.prototype)

type Json = string | number | boolean | null | undefined

function buildQuery(query: object = {}): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query) as [string, Json | Json[]][])
    if (value !== undefined && value !== null)
      parameters.set(name, Array.isArray(value) ? value.join(',') : String(value))
  const text = parameters.toString()
  return text === '' ? '' : `?${text}`
}

async function readError(response: Response, idempotencyKey: string | undefined): Promise<ApiErrorFields> {
  const { status, headers } = response
  const text = await response.text().catch(() => '')
  const fields = parseError(text)
  const seconds = Number(headers.get('retry-after') ?? Number.NaN)
  return {
    status,
    code: fields?.code ?? 'UNKNOWN',
    message: fields?.message ?? `The server answered ${status}: ${text.slice(0, 200)}`,
    details: fields?.details,
    retryAfter: fields?.retryAfter ?? (Number.isNaN(seconds) ? undefined : seconds),
    requestId: headers.get('x-request-id') ?? undefined,
    idempotencyKey,
  }
}

/** An error in the form of the API, or undefined where something else answered. */
function parseError(text: string): Pick<APIError, 'code' | 'message' | 'details' | 'retryAfter'> | undefined {
  try {
    const error = JSON.parse(text) as APIError
    return typeof error.code === 'string' && typeof error.message === 'string' ? error : undefined
  } catch {
    return undefined
  }
}

/** `crypto.randomUUID` is missing in pages without TLS. */
const randomKey = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))].map(byte => byte.toString(16).padStart(2, '0')).join('')
