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
  /** Address of the service, with or without a slash at its end. Default: `GANGLION_URL`, or the origin of the page. */
  baseUrl?: string
  /** The brain to work in. Default: `GANGLION_BRAIN`, or the default brain of the credential. */
  brain?: string
  /** Milliseconds for a call with its retries. Default: 60,000. */
  timeout?: number
  /** Further attempts after a failure that may pass. Default: 2. */
  maxRetries?: number
  /** Sent with each request. */
  headers?: Record<string, string>
  /** Replaces the `fetch` of the runtime. */
  fetch?: typeof fetch
}

/** Without credentials, the API key of `GANGLION_API_KEY` is used where there is one. */
export type ClientOptions = ClientSettings & Credentials

const TIMEOUT_MS = 60_000
const MAX_RETRIES = 2

/** The client of Ganglion: a field for each noun of the API, with a method for each operation. */
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

  /** The same client with some settings changed, such as its brain. */
  with(settings: ClientSettings): Ganglion {
    return new Ganglion({ ...this.#options, ...settings })
  }

  /**
   * Sends a request to any path, such as `/v1/jobs?limit=1`. It is repeated as the operation at this path may be; one that
   * this client does not know is repeated only if it is a GET.
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
    // Called without a receiver, as browsers require.
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
  if (!location) throw new GanglionError('The address of the service is missing: give baseUrl, or set GANGLION_URL')
  return location.origin
}
