import { Client, errors } from '@elastic/elasticsearch'
import { Unavailable } from '../domain/shared/errors.ts'

export interface ElasticsearchSettings {
  /** The URL, which may include a user name and password. */
  url: string
  apiKey?: string
  /** Time limit for a search or another read, including network time. At least 2 seconds. */
  readTimeoutMs: number
}

/** The client options for a call. */
interface CallOptions {
  requestTimeout: number
  signal?: AbortSignal
  openTelemetry: { captureSearchQuery: boolean }
}

export interface Elasticsearch extends Pick<ElasticsearchSettings, 'readTimeoutMs'> {
  /**
   * Makes one call, without retries, within `timeoutMs`. Throws Unavailable when Elasticsearch is unreachable,
   * overloaded, too slow or does not have the index or alias. Throws the signal's reason when the signal aborts.
   */
  call: <T>(
    work: (client: Client, options: CallOptions) => Promise<T>,
    limits: { timeoutMs: number; signal?: AbortSignal },
  ) => Promise<T>
  /** Throws when Elasticsearch does not respond within a second. */
  ping(): Promise<void>
  close(): Promise<void>
}

/** The client creates spans. Search bodies are omitted from them, because they contain user queries. */
const TRACES = { captureSearchQuery: false }

/** Creates the Elasticsearch client. It connects on first use, and reconnects when Elasticsearch is available again. */
export function openElasticsearch({ url, apiKey, readTimeoutMs }: ElasticsearchSettings): Elasticsearch {
  const client = new Client({
    node: url,
    ...(apiKey && { auth: { apiKey } }),
    maxRetries: 0,
    // With only one address, a failed call does not predict whether the next one fails. Calls are therefore not
    // delayed.
    resurrectStrategy: 'none',
    redaction: { type: 'remove' },
  })
  const call: Elasticsearch['call'] = async (work, { timeoutMs, signal }) => {
    signal?.throwIfAborted()
    try {
      return await work(client, { requestTimeout: timeoutMs, signal, openTelemetry: TRACES })
    } catch (error) {
      signal?.throwIfAborted()
      throw toAppError(error)
    }
  }
  return {
    call,
    readTimeoutMs,
    ping: async () => {
      await call((es, options) => es.cluster.health({ local: true }, options), { timeoutMs: 1_000 })
    },
    close: () => client.close(),
  }
}

/** Thrown when Elasticsearch rejects a call. */
export class ElasticsearchRefusal extends Error {
  readonly type: string | undefined

  constructor(message: string, type: string | undefined) {
    super(message)
    this.name = new.target.name
    this.type = type
  }
}

/** Thrown when Elasticsearch is temporarily unable to handle a call. */
export class ElasticsearchUnavailable extends Unavailable {
  /** True when Elasticsearch responded with 404 or 5xx, because the index may just have been replaced. */
  readonly isTransient: boolean

  constructor(message: string, status: number | undefined) {
    super('Search is currently unavailable', { cause: new Error(message) })
    this.isTransient = status !== undefined && (status === 404 || status >= 500)
  }
}

/**
 * Status codes of temporary failures. They include rejected credentials and a missing index, because an operator can
 * fix both, but the caller cannot.
 */
const UNAVAILABLE_STATUSES = new Set([401, 403, 404, 408, 429])

/**
 * Converts the error of a failed call. The client's error contains the request, with texts and queries from users. It
 * is discarded, because errors are logged.
 */
function toAppError(error: unknown): unknown {
  if (!(error instanceof errors.ElasticsearchClientError)) return error
  const message = `${error.name}: ${error.message}`
  const status = error instanceof errors.ResponseError ? error.statusCode : undefined
  if (status === undefined || status >= 500 || UNAVAILABLE_STATUSES.has(status))
    return new ElasticsearchUnavailable(message, status)
  return new ElasticsearchRefusal(message, findErrorType(error))
}

const findErrorType = (error: unknown): string | undefined =>
  error instanceof errors.ResponseError ? error.body?.error?.type : undefined
