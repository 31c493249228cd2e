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
import { randomKey } from './random-key.ts'
import { mayRepeat, retryDelay } from './retries.ts'
import { linkSignals, sleep } from './signals.ts'

export interface RequestOptions {
  /** Aborts the call. */
  signal?: AbortSignal
  /** Time limit for the whole call including its retries, in milliseconds. */
  timeout?: number
  /** Maximum number of retries after a temporary failure. */
  maxRetries?: number
  /**
   * Idempotency key, for operations that accept one. Default: a generated key. Calls with the same key and body take
   * effect only once within 24 hours.
   */
  idempotencyKey?: string
  /** Brain (project) to work in. */
  brain?: string
  /** Expected version of the resource, for operations that change a resource. */
  ifMatch?: number
  headers?: Record<string, string>
}

export interface Payload {
  query?: object
  /** A JSON value, or a form with files. */
  body?: object
}

/**
 * `safe`: the request may be repeated. `key`: it may be repeated with the same Idempotency-Key. `no`: repeating it
 * may take effect twice.
 */
export type Repeats = 'safe' | 'key' | 'no'

/** A request to which credentials and options have not been added yet. */
export interface RequestSpec extends Payload {
  method: string
  /** Path after the base URL, with a leading slash and without a query. */
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

/** Sends requests, and adds credentials, the brain, time limits, retries and idempotency keys. */
export class Transport {
  readonly options: TransportOptions
  #workspaceId: string | undefined

  constructor(options: TransportOptions) {
    this.options = options
  }

  /** Builds the request for an operation. */
  describe(id: OperationId, args: (string | number)[], payload: Payload): RequestSpec {
    const [method = '', template = '', repeats] = OPERATIONS[id].split(' ')
    const values = [...args]
    const path = template.replaceAll(/\{\w+\}/g, name => {
      const value = values.shift()
      if (value === undefined || value === '') throw new GanglionError(`${id} requires ${name}`)
      return encodeURIComponent(value)
    })
    return { method, path, repeats: repeats as Repeats, ...payload }
  }

  /**
   * Sends a request and parses the JSON response, or returns undefined if the response has no body. Returns Markdown
   * as text if the request asked for it.
   */
  json<T>(request: RequestSpec, options: RequestOptions = {}): Promise<ApiResponse<T>> {
    return this.#send(request, options, async response => {
      const text = await response.text()
      const isJson = response.headers.get('content-type')?.includes('json') ?? true
      return (text === '' ? undefined : isJson ? JSON.parse(text) : text) as T
    })
  }

  /**
   * Sends a request and returns the response with its body unread. The time limit applies only until the headers
   * arrive.
   */
  raw(request: RequestSpec, options: RequestOptions = {}): Promise<ApiResponse<Response>> {
    // The caller's signal can also abort reading the body later.
    return this.#send(request, options, response => Promise.resolve(response), true)
  }

  /** Resolves with the credential's workspace id, which is requested only once. */
  async readWorkspaceId(options?: RequestOptions): Promise<string> {
    if (this.#workspaceId === undefined) {
      const { signal } = options ?? {}
      const { data } = await this.json<Data<'health.get'>>(this.describe('health.get', [], {}), { signal })
      if (!data.workspace) throw new GanglionError('The credential does not belong to a workspace')
      this.#workspaceId = data.workspace.id
    }
    return this.#workspaceId
  }

  /**
   * Sends a request without retries. Resolves with a successful response. The signal also aborts reading the response
   * body.
   */
  async once(request: RequestSpec, options: RequestOptions = {}, signal?: AbortSignal): Promise<Attempt> {
    const { baseUrl, credentials, fetch } = this.options
    const body =
      credentials.shareToken !== undefined && isPlain(request.body)
        ? { ...request.body, t: credentials.shareToken }
        : request.body
    const query =
      credentials.shareToken !== undefined && !isPlain(request.body)
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
      throw new ConnectionError(`Could not reach the service at ${baseUrl}`, { cause })
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
    const timer = setTimeout(() => controller.abort(new TimeoutError(`No response within ${timeout} ms`)), timeout)
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
      throw signal.aborted
        ? signal.reason
        : new ConnectionError('The connection was lost during the response', { cause })
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

/** Whether the body must be sent as JSON. Forms and bytes are sent unchanged. */
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
    message: fields?.message ?? `The server returned ${status}: ${text.slice(0, 200)}`,
    details: fields?.details,
    retryAfter: fields?.retryAfter ?? (Number.isNaN(seconds) ? undefined : seconds),
    requestId: headers.get('x-request-id') ?? undefined,
    idempotencyKey,
  }
}

/** Parses an API error. Returns undefined if a server other than the API responded. */
function parseError(text: string): Pick<APIError, 'code' | 'message' | 'details' | 'retryAfter'> | undefined {
  try {
    const error = JSON.parse(text) as APIError
    return typeof error.code === 'string' && typeof error.message === 'string' ? error : undefined
  } catch {
    return undefined
  }
}
