import { Client, errors } from '@elastic/elasticsearch'
import { Unavailable } from '../domain/errors.ts'

export interface ElasticsearchAddress {
  /** May carry a user and a password. */
  url: string
  apiKey?: string
}

/** What a call hands on to the client. */
interface CallOptions {
  requestTimeout: number
  signal?: AbortSignal
}

export interface Elasticsearch {
  /**
   * Runs one call, once, within `timeoutMs`. Throws Unavailable when Elasticsearch is away, overloaded, too slow, or
   * lacks what was named; the signal's reason when the caller gave up.
   */
  call: <T>(
    work: (client: Client, options: CallOptions) => Promise<T>,
    limits: { timeoutMs: number; signal?: AbortSignal },
  ) => Promise<T>
  /** Throws when Elasticsearch does not answer within a second. */
  ping(): Promise<void>
  close(): Promise<void>
}

/** The connection to Elasticsearch; it opens when first used, and again whenever Elasticsearch comes back. */
export function openElasticsearch({ url, apiKey }: ElasticsearchAddress): Elasticsearch {
  const client = new Client({
    node: url,
    ...(apiKey && { auth: { apiKey } }),
    maxRetries: 0,
    // One address: a failed call says nothing about the next one, so none is kept waiting.
    resurrectStrategy: 'none',
    redaction: { type: 'remove' },
  })
  const call: Elasticsearch['call'] = async (work, { timeoutMs, signal }) => {
    signal?.throwIfAborted()
    try {
      return await work(client, { requestTimeout: timeoutMs, signal })
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

/** Elasticsearch understood the call and refused it. */
export class ElasticsearchRefusal extends Error {
  readonly type: string | undefined

  constructor(message: string, type: string | undefined) {
    super(message)
    this.name = new.target.name
    this.type = type
  }
}

/** Elasticsearch could not do it now. */
export class ElasticsearchUnavailable extends Unavailable {
  /** True when it said so itself, and not for being overloaded: an index may just have been replaced by another. */
  readonly isTransient: boolean

  constructor(message: string, status: number | undefined) {
    super('Search cannot be reached right now', { cause: new Error(message) })
    this.isTransient = status !== undefined && (status === 404 || status >= 500)
  }
}

/**
 * Statuses that say it could not be done now. Among them are a refused credential and an index that is not there: an
 * operator mends both, no caller can.
 */
const UNAVAILABLE_STATUSES = new Set([401, 403, 404, 408, 429])

/**
 * What a failed call means for who made it. The client's own error carries the request, so it goes no further: texts
 * and queries are nobody's but their owner's, and errors end in logs.
 */
function toAppError(error: unknown): unknown {
  if (!(error instanceof errors.ElasticsearchClientError)) return error
  const said = `${error.name}: ${error.message}`
  const status = error instanceof errors.ResponseError ? error.statusCode : undefined
  if (status === undefined || status >= 500 || UNAVAILABLE_STATUSES.has(status))
    return new ElasticsearchUnavailable(said, status)
  return new ElasticsearchRefusal(said, getErrorType(error))
}

const getErrorType = (error: unknown): string | undefined =>
  error instanceof errors.ResponseError ? error.body?.error?.type : undefined
