import { Client, errors } from '@elastic/elasticsearch'
import { Unavailable } from '../domain/shared/errors.ts'

export interface ElasticsearchAddress {
  /** It may include a user and a password. */
  url: string
  apiKey?: string
}

/** The options that a call passes to the client. */
interface CallOptions {
  requestTimeout: number
  signal?: AbortSignal
  openTelemetry: { captureSearchQuery: boolean }
}

export interface Elasticsearch {
  /**
   * Runs one call, once, within `timeoutMs`. Throws Unavailable when Elasticsearch is unreachable, overloaded, too slow
   * or lacks the named object, and the signal's reason when the signal fires.
   */
  call: <T>(
    work: (client: Client, options: CallOptions) => Promise<T>,
    limits: { timeoutMs: number; signal?: AbortSignal },
  ) => Promise<T>
  /** Throws when Elasticsearch does not answer within a second. */
  ping(): Promise<void>
  close(): Promise<void>
}

/** The client makes spans. The body of a search is no part of them: it holds what a user asked. */
const TRACES = { captureSearchQuery: false }

/** Opens Elasticsearch: it connects at the first use and reconnects when Elasticsearch is available again. */
export function openElasticsearch({ url, apiKey }: ElasticsearchAddress): Elasticsearch {
  const client = new Client({
    node: url,
    ...(apiKey && { auth: { apiKey } }),
    maxRetries: 0,
    // With one address, a failed call does not predict the next one, so calls are not delayed.
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
    ping: async () => {
      await call((es, options) => es.cluster.health({ local: true }, options), { timeoutMs: 1_000 })
    },
    close: () => client.close(),
  }
}

/** Elasticsearch rejected the call. */
export class ElasticsearchRefusal extends Error {
  readonly type: string | undefined

  constructor(message: string, type: string | undefined) {
    super(message)
    this.name = new.target.name
    this.type = type
  }
}

/** Elasticsearch could not execute the call at this time. */
export class ElasticsearchUnavailable extends Unavailable {
  /** True when Elasticsearch answered with 404 or 5xx: the index may just have been replaced by another. */
  readonly isTransient: boolean

  constructor(message: string, status: number | undefined) {
    super('Search cannot be reached right now', { cause: new Error(message) })
    this.isTransient = status !== undefined && (status === 404 || status >= 500)
  }
}

/**
 * Statuses of temporary failures. They include a rejected credential and a missing index, because an operator repairs
 * both and a principal cannot.
 */
const UNAVAILABLE_STATUSES = new Set([401, 403, 404, 408, 429])

/**
 * Converts the error of a failed call. The client's error holds the request with texts and queries of users, so it is
 * not kept: errors are logged.
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
