import { hash } from 'node:crypto'
import type { JobEvent } from '../../../domain/runs/events.ts'
import { createContract } from './contract.ts'
import type { Contract } from './contract.ts'
import { PATIENCE_MS, waitUntil } from '../stack/process.ts'
import { readEvents } from './sse.ts'
import type { SseMessage } from './sse.ts'

export interface Answer<T> {
  status: number
  headers: Headers
  body: T
}

export interface CallOptions {
  headers?: Record<string, string>
  /** Sent unchanged instead of JSON. */
  raw?: string | Uint8Array
  signal?: AbortSignal
}

/**
 * Calls the API as a client does. Every response is checked against the published OpenAPI document. A response that
 * the document does not contain or match throws.
 */
export interface ApiClient {
  get<T = Json>(path: string, options?: CallOptions): Promise<Answer<T>>
  post<T = Json>(path: string, body?: unknown, options?: CallOptions): Promise<Answer<T>>
  patch<T = Json>(path: string, body?: unknown, options?: CallOptions): Promise<Answer<T>>
  del<T = Json>(path: string, options?: CallOptions): Promise<Answer<T>>
  call<T = Json>(method: string, path: string, body?: unknown, options?: CallOptions): Promise<Answer<T>>
  /** Follows a stream. Resolves with its events once the response has started. Throws a `Refusal` for an error. */
  sse<T extends object = JobEvent>(path: string, options?: CallOptions): Promise<AsyncGenerator<SseMessage<T>>>
}

/** A body with fields that a test reads without declaring them. */
export interface Json {
  [key: string]: never
}

export class Refusal extends Error {
  readonly answer: Answer<{ code: string; message: string }>
  constructor(answer: Answer<{ code: string; message: string }>) {
    super(`${answer.status} ${answer.body.code}: ${answer.body.message}`)
    this.answer = answer
  }
}

/** The contracts in this process, by document hash. Compiling a contract takes longer than a test. */
const contracts = new Map<string, Contract>()
/** The document is read once per service. */
const services = new Map<string, Promise<Contract>>()

function findContract(baseUrl: string): Promise<Contract> {
  const contract = services.get(baseUrl) ?? fetchContract(baseUrl)
  services.set(baseUrl, contract)
  contract.catch(() => services.delete(baseUrl))
  return contract
}

async function fetchContract(baseUrl: string): Promise<Contract> {
  const response = await fetch(`${baseUrl}/v1/openapi.json`)
  const text = (await response.text()).replaceAll(baseUrl, '')
  const key = hash('sha256', text)
  const contract = contracts.get(key) ?? createContract(JSON.parse(text))
  contracts.set(key, contract)
  return contract
}

/** Retries a request while the service is busy, as clients do. */
export const sendUntilTaken = <A extends { status: number }>(send: () => Promise<A>): Promise<A> =>
  waitUntil(async () => {
    const answer = await send()
    return answer.status !== 503 && answer
  })

export function createClient(baseUrl: string, apiKey?: string): ApiClient {
  const authorization: Record<string, string> = apiKey ? { Authorization: `Bearer ${apiKey}` } : {}

  async function send(method: string, path: string, body: unknown, { headers, raw, signal }: CallOptions) {
    const json: Record<string, string> =
      body === undefined && raw === undefined ? {} : { 'Content-Type': 'application/json' }
    return fetch(baseUrl + path, {
      method,
      headers: { ...authorization, ...json, ...headers },
      body: (raw ?? (body === undefined ? undefined : JSON.stringify(body))) as RequestInit['body'],
      signal,
    })
  }

  async function read<T>(method: string, path: string, response: Response): Promise<Answer<T>> {
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.startsWith('application/json')
    const body = (isJson ? JSON.parse(text) : text) as T
    const { status, headers } = response
    if (method !== 'HEAD') (await findContract(baseUrl)).check({ method, path, status, body, isJson: Boolean(isJson) })
    return { status, headers, body }
  }

  async function call<T>(method: string, path: string, body?: unknown, options: CallOptions = {}): Promise<Answer<T>> {
    const signal = options.signal ?? AbortSignal.timeout(PATIENCE_MS)
    return read(method, path, await send(method, path, body, { ...options, signal }))
  }

  return {
    call,
    get: (path, options) => call('GET', path, undefined, options),
    post: (path, body, options) => call('POST', path, body, options),
    patch: (path, body, options) => call('PATCH', path, body, options),
    del: (path, options) => call('DELETE', path, undefined, options),
    async sse<T extends object>(path: string, options: CallOptions = {}) {
      const response = await send('GET', path, undefined, options)
      if (response.status !== 200 || !response.body) throw new Refusal(await read('GET', path, response))
      const { checkEvent } = await findContract(baseUrl)
      return readEvents<T>(response.body, event => checkEvent(path, event))
    },
  }
}

/** Returns the same client with additional headers in each of its requests. */
export function withHeaders(client: ApiClient, headers: Record<string, string>): ApiClient {
  const add = (options: CallOptions = {}) => ({ ...options, headers: { ...headers, ...options.headers } })
  return {
    get: (path, options) => client.get(path, add(options)),
    post: (path, body, options) => client.post(path, body, add(options)),
    patch: (path, body, options) => client.patch(path, body, add(options)),
    del: (path, options) => client.del(path, add(options)),
    call: (method, path, body, options) => client.call(method, path, body, add(options)),
    sse: (path, options) => client.sse(path, add(options)),
  }
}
