import { ApiPromise } from './core/api-promise.ts'
import { type Credentials, readSetting, requireSafe } from './core/credentials.ts'
import { type Payload, type Repeats, type RequestOptions, Transport } from './core/transport.ts'
import { GanglionError } from './errors.ts'
import { Operations } from './generated/resources.ts'
import { findRepeats } from './core/repeats.ts'
import { Chat } from './resources/chat.ts'
import { Inbox } from './resources/inbox.ts'
import { Jobs } from './resources/jobs.ts'
import { Neurons } from './resources/neurons.ts'
import { Pathways } from './resources/pathways.ts'

export interface ClientSettings {
  /** Service address, with or without a trailing slash. Default: `GANGLION_URL`, or the origin of the page. */
  baseUrl?: string
  /** Brain (project) to work in. Default: `GANGLION_BRAIN`, or the credential's default brain. */
  brain?: string
  /** Time limit for a call including its retries, in milliseconds. Default: 60,000. */
  timeout?: number
  /** Maximum number of retries after a temporary failure. Default: 2. */
  maxRetries?: number
  /** Headers sent with each request. */
  headers?: Record<string, string>
  /** Replaces the runtime's `fetch`. */
  fetch?: typeof fetch
}

/** The client's settings and credentials. Default credentials: the API key in `GANGLION_API_KEY`, if set. */
export type ClientOptions = ClientSettings & Credentials

const TIMEOUT_MS = 60_000
const MAX_RETRIES = 2

/** The Ganglion client. It has a field for each API noun, with a method for each operation. */
export class Ganglion extends Operations {
  override readonly chat: Chat
  override readonly jobs: Jobs
  override readonly neurons: Neurons
  override readonly pathways: Pathways
  readonly inbox: Inbox
  readonly #options: ClientOptions

  constructor(options: ClientOptions = {}) {
    super(new Transport(resolve(options)))
    this.#options = options
    this.chat = new Chat(this)
    this.jobs = new Jobs(this)
    this.neurons = new Neurons(this)
    this.pathways = new Pathways(this)
    this.inbox = new Inbox(this)
  }

  /** Returns a copy of the client with different settings, such as another brain. */
  with(settings: ClientSettings): Ganglion {
    return new Ganglion({ ...this.#options, ...settings })
  }

  /**
   * Sends a request to any path, such as `/v1/jobs?limit=1`. Retries follow the rules for the operation at this path.
   * If no operation is known for the path, only GET requests are retried.
   */
  request<T = unknown>(method: string, path: string, payload: Payload = {}, options?: RequestOptions): ApiPromise<T> {
    const repeats: Repeats = findRepeats(method, path)
    return new ApiPromise(this.transport.json<T>({ method, path, repeats, ...payload }, options))
  }
}

function resolve(options: ClientOptions) {
  const {
    baseUrl,
    brain,
    timeout = TIMEOUT_MS,
    maxRetries = MAX_RETRIES,
    headers = {},
    fetch = globalThis.fetch,
  } = options
  requireSafe(options)
  return {
    baseUrl: (baseUrl ?? readSetting('GANGLION_URL') ?? readOrigin()).replace(/\/+$/, ''),
    credentials: readCredentials(options),
    brain: brain ?? readSetting('GANGLION_BRAIN'),
    timeout,
    maxRetries,
    headers,
    // Call `fetch` without a receiver, as browsers require.
    fetch: ((input, init) => fetch(input, init)) as typeof fetch,
  }
}

function readCredentials(options: ClientOptions): Credentials {
  const { apiKey, publishableKey, shareToken } = options
  if (apiKey !== undefined || publishableKey !== undefined || shareToken !== undefined) return options
  const key = readSetting('GANGLION_API_KEY')
  return key === undefined ? {} : { apiKey: key }
}

function readOrigin(): string {
  const { location } = globalThis as { location?: { origin: string } }
  if (!location) throw new GanglionError('Set baseUrl or GANGLION_URL to the address of the service')
  return location.origin
}
