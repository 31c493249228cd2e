import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { APICallError, InvalidResponseDataError } from '@ai-sdk/provider'
import { embedMany } from 'ai'
import { estimateTokens, truncateToTokens } from '../../domain/chunking/approximate-tokens.ts'
import { Unavailable } from '../../domain/errors.ts'
import { createRedactor } from '../../domain/redactor.ts'
import { observeProviderCall } from '../../domain/provider-calls.ts'
import { limitResponse } from '../../domain/models/bounded-answer.ts'
import type { Embedder, EmbedderOptions, EmbeddingSettings, EmbedOptions } from './embedder.ts'
import { createModelProcess } from './model-process.ts'

/** The maximum share of a chunk that the next one repeats. */
const OVERLAP_SHARE = 1 / 8
/** An upper bound of the bytes of one number of a vector in JSON. */
const BYTES_PER_NUMBER = 32
const RESPONSE_OVERHEAD_BYTES = 65_536
const MAX_WAIT_SECONDS = 3_600
/** The time for which a successful request proves that the provider is available. */
const READY_MS = 60_000

class InvalidVector extends Error {}

/** Opens a model of an OpenAI-compatible provider. Requests are not retried here, because callers retry. */
export function openProviderEmbedder(
  settings: EmbeddingSettings,
  { observe = () => undefined, isBackground }: EmbedderOptions = {},
): Embedder {
  const { EMBEDDING_MODEL: name, EMBEDDING_DIMENSIONS: dimensions = 0, EMBEDDING_BATCH: batch } = settings
  const { EMBEDDING_CHUNK_TOKENS: chunkTokens } = settings
  const timeoutMs = settings.EMBEDDING_TIMEOUT_SECONDS * 1_000
  const { baseURL, apiKey } = selectProvider(settings)
  const maxBytes = batch * dimensions * BYTES_PER_NUMBER + RESPONSE_OVERHEAD_BYTES
  const limitedFetch: typeof fetch = async (input, init) => limitResponse(await fetch(input, init), maxBytes)
  const model = createOpenAICompatible({ name: 'embedding', baseURL, apiKey, fetch: limitedFetch }).embeddingModel(name)
  const chunker = createModelProcess(
    {
      chunkTokens,
      overlapTokens: Math.floor(chunkTokens * OVERLAP_SHARE),
      priority: isBackground ? 'low' : 'normal',
    },
    timeoutMs,
  )
  let goodUntil = 0

  async function requestVectors(values: string[], { signal, onUsage }: EmbedOptions): Promise<Float32Array[]> {
    const deadline = AbortSignal.timeout(timeoutMs)
    const abortSignal = signal ? AbortSignal.any([signal, deadline]) : deadline
    const { embeddings, usage } = await embedMany({ model, values, maxRetries: 0, abortSignal })
    onUsage?.(Number.isFinite(usage.tokens) ? usage.tokens : countTokens(values))
    return embeddings.map(numbers => toUnitVector(numbers, dimensions))
  }

  async function embedBatch(values: string[], options: EmbedOptions): Promise<Float32Array[]> {
    const { signal } = options
    const toCode = (error: unknown) => (signal?.aborted ? 'cancelled' : classifyFailure(error))
    const call = () => requestVectors(values, options)
    try {
      return await observeProviderCall(observe, { service: 'embedding', provider: 'openai-compatible' }, call, toCode)
    } catch (error) {
      signal?.throwIfAborted()
      throw toUnavailable(error, name, apiKey)
    }
  }

  async function embed(texts: string[], options: EmbedOptions = {}): Promise<Float32Array[]> {
    const values = texts.map(text => truncateText(text, chunkTokens * 2))
    if (values.some((value, i) => value.length < (texts[i] ?? '').trim().length)) options.onTruncation?.()
    const vectors: Float32Array[] = []
    for (let at = 0; at < values.length; at += batch) {
      options.signal?.throwIfAborted()
      vectors.push(...(await embedBatch(values.slice(at, at + batch), options)))
    }
    return vectors
  }

  const indexing = {
    model: name,
    dimensions,
    embed,
    chunk: (text: string, { signal }: EmbedOptions = {}) => chunker.chunk(text, signal),
  }
  return {
    ...indexing,
    forIndexing: () => indexing,
    async ready() {
      if (Date.now() < goodUntil) return
      await embed(['ready'])
      goodUntil = Date.now() + READY_MS
    },
    close: () => chunker.close(),
  }
}

/** Selects the address with its key. A key is sent only to the address it was configured for. */
function selectProvider(settings: EmbeddingSettings): { baseURL: string; apiKey?: string } {
  const {
    EMBEDDING_BASE_URL: own,
    EMBEDDING_API_KEY: ownKey,
    MODEL_BASE_URL: shared,
    MODEL_API_KEY: sharedKey,
  } = settings
  return { baseURL: (own ?? shared ?? '').replace(/\/+$/, ''), apiKey: own ? ownKey : (ownKey ?? sharedKey) }
}

const countTokens = (texts: string[]): number => texts.reduce((sum, text) => sum + estimateTokens(text), 0)

/** Truncates a text for the provider. Providers reject an empty text, and some reject a long one. */
const truncateText = (text: string, tokens: number): string =>
  truncateToTokens(text.slice(0, tokens * 10), tokens).trim() || '-'

function toUnitVector(numbers: number[], dimensions: number): Float32Array {
  if (numbers.length !== dimensions)
    throw new Unavailable(`EMBEDDING_DIMENSIONS is ${dimensions}, but the model's vectors have ${numbers.length}`)
  const length = Math.hypot(...numbers)
  if (!Number.isFinite(length) || length === 0) throw new InvalidVector('The vector has no direction')
  return Float32Array.from(numbers, number => number / length)
}

/** Converts the error of a failed call, without the texts and keys that the provider may quote. */
function toUnavailable(error: unknown, model: string, apiKey: string | undefined): Unavailable {
  if (error instanceof Unavailable) return error
  const message = error instanceof Error ? error.message.slice(0, 300) : String(error)
  const cause = new Error(createRedactor(apiKey ? [apiKey] : []).text(message))
  const failure = classifyFailure(error)
  const retry = failure === 'EMBEDDING_RATE_LIMIT' ? parseRetryAfter(error) : {}
  return new Unavailable(describeFailure(failure, model, getStatus(error)), { cause, ...retry })
}

type Failure =
  | 'EMBEDDING_AUTH'
  | 'EMBEDDING_UNKNOWN_MODEL'
  | 'EMBEDDING_RATE_LIMIT'
  | 'EMBEDDING_FAILED'
  | 'EMBEDDING_BAD_ANSWER'
  | 'EMBEDDING_UNAVAILABLE'

function classifyFailure(error: unknown): Failure {
  const status = getStatus(error)
  if (status === 401 || status === 403) return 'EMBEDDING_AUTH'
  if (status === 404) return 'EMBEDDING_UNKNOWN_MODEL'
  if (status === 429) return 'EMBEDDING_RATE_LIMIT'
  if (status !== undefined && status >= 400) return 'EMBEDDING_FAILED'
  const isInvalid = InvalidResponseDataError.isInstance(error) || error instanceof InvalidVector
  const isAnswer = status !== undefined || isInvalid || error instanceof Unavailable
  return isAnswer ? 'EMBEDDING_BAD_ANSWER' : 'EMBEDDING_UNAVAILABLE'
}

const getStatus = (error: unknown): number | undefined =>
  APICallError.isInstance(error) ? error.statusCode : undefined

const describeFailure = (failure: Failure, model: string, status: number | undefined): string =>
  ({
    EMBEDDING_AUTH: `The embedding provider refused the credentials (${status})`,
    EMBEDDING_UNKNOWN_MODEL: `The embedding provider does not know the model "${model}"`,
    EMBEDDING_RATE_LIMIT: 'The rate limit of the embedding provider is exceeded',
    EMBEDDING_FAILED: `The embedding provider failed (${status})`,
    EMBEDDING_BAD_ANSWER: 'The embedding provider sent an invalid response',
    EMBEDDING_UNAVAILABLE: 'The embedding provider could not be reached or closed the connection',
  })[failure]

function parseRetryAfter(error: unknown): { retryAfter?: number } {
  const seconds = APICallError.isInstance(error) ? Number(error.responseHeaders?.['retry-after']) : Number.NaN
  return seconds > 0 && seconds <= MAX_WAIT_SECONDS ? { retryAfter: seconds } : {}
}
