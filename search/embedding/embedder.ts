import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { embedMany } from 'ai'
import type { Config } from '../../config/config.ts'
import { DEFAULT_DIMENSIONS } from '../../config/settings.ts'
import { estimateTokens, truncateToTokens } from '../../domain/search/chunking/approximate-tokens.ts'
import type { Chunk } from '../../domain/search/chunking/chunk.ts'
import { Unavailable } from '../../domain/shared/errors.ts'
import { limitResponse } from '../../domain/agents/models/bounded-answer.ts'
import { type ObserveProviderCall, observeProviderCall } from '../../domain/agents/provider-calls.ts'
import { classifyFailure, InvalidVector, unavailableError } from './provider-failure.ts'
import { openTextCutter } from './text-cutter.ts'

export interface EmbedOptions {
  signal?: AbortSignal
  /** Called with the number of tokens that the model has read, as reported by the server if available. */
  onUsage?: (tokens: number) => void
  /** Called once if any of the texts is truncated. */
  onTruncation?: () => void
}

/** Converts texts to vectors. Texts with similar meanings have vectors with similar directions. */
export interface IndexEmbedder {
  /** The model name that the index stores. Vectors of different models cannot be compared. */
  readonly model: string
  readonly dimensions: number
  /**
   * Returns one unit vector per text, in order. Truncates long texts. Throws Unavailable, or the signal's reason when
   * the signal aborts.
   */
  embed(texts: string[], options?: EmbedOptions): Promise<Float32Array[]>
  /** Splits a text into chunks in another thread. Throws the signal's reason when the signal aborts. */
  chunk(text: string, options?: EmbedOptions): Promise<Chunk[]>
}

export interface Embedder extends IndexEmbedder {
  /** Throws Unavailable, with the reason, when the embedder cannot create vectors. */
  ready(): Promise<void>
  close(): Promise<void>
}

export type EmbeddingSettings = Pick<
  Config,
  Extract<keyof Config, `EMBEDDING_${string}` | `MODEL_${'BASE_URL' | 'API_KEY'}`>
>

export interface EmbedderOptions {
  observe?: ObserveProviderCall | undefined
}

/** The maximum share of a chunk that is repeated in the next one. */
const OVERLAP_SHARE = 1 / 8
/** The maximum size of one vector component in JSON, in bytes. */
const BYTES_PER_NUMBER = 32
const RESPONSE_OVERHEAD_BYTES = 65_536
/** After a successful request, the provider is assumed to be available for this time. */
const READY_MS = 60_000

/**
 * Creates an embedder for the model of an OpenAI-compatible server. It connects on first use. Requests are not
 * retried here, because callers retry them.
 */
export function openEmbedder(
  settings: EmbeddingSettings,
  { observe = () => undefined }: EmbedderOptions = {},
): Embedder {
  const {
    EMBEDDING_MODEL: name,
    EMBEDDING_DIMENSIONS: dimensions = DEFAULT_DIMENSIONS,
    EMBEDDING_BATCH: batch,
  } = settings
  const { EMBEDDING_CHUNK_TOKENS: chunkTokens } = settings
  const timeoutMs = settings.EMBEDDING_TIMEOUT_SECONDS * 1_000
  const { baseURL, apiKey } = selectProvider(settings)
  const maxBytes = batch * dimensions * BYTES_PER_NUMBER + RESPONSE_OVERHEAD_BYTES
  const limitedFetch: typeof fetch = async (input, init) => limitResponse(await fetch(input, init), maxBytes)
  const model = createOpenAICompatible({ name: 'embedding', baseURL, apiKey, fetch: limitedFetch }).embeddingModel(name)
  const cutter = openTextCutter({ maxTokens: chunkTokens, overlapTokens: Math.floor(chunkTokens * OVERLAP_SHARE) })
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
      throw unavailableError(error, name, apiKey)
    }
  }

  async function embed(texts: string[], options: EmbedOptions = {}): Promise<Float32Array[]> {
    if (baseURL === '') throw new Unavailable('No embedding service is configured: set EMBEDDING_BASE_URL')
    const values = texts.map(text => truncateText(text, chunkTokens * 2))
    if (values.some((value, i) => value.length < (texts[i] ?? '').trim().length)) options.onTruncation?.()
    const vectors: Float32Array[] = []
    for (let at = 0; at < values.length; at += batch) {
      options.signal?.throwIfAborted()
      vectors.push(...(await embedBatch(values.slice(at, at + batch), options)))
    }
    return vectors
  }

  return {
    model: name,
    dimensions,
    embed,
    chunk: (text, { signal } = {}) => cutter.cut(text, signal),
    async ready() {
      if (Date.now() < goodUntil) return
      await embed(['ready'])
      goodUntil = Date.now() + READY_MS
    },
    close: () => cutter.close(),
  }
}

/**
 * Returns the address and the API key that belongs to it. A key is sent only to the address for which it was
 * configured.
 */
function selectProvider(settings: EmbeddingSettings): { baseURL: string; apiKey?: string } {
  const {
    EMBEDDING_BASE_URL: ownUrl,
    EMBEDDING_API_KEY: ownKey,
    MODEL_BASE_URL: shared,
    MODEL_API_KEY: sharedKey,
  } = settings
  return { baseURL: (ownUrl ?? shared ?? '').replace(/\/+$/, ''), apiKey: ownUrl ? ownKey : (ownKey ?? sharedKey) }
}

const countTokens = (texts: string[]): number => texts.reduce((sum, text) => sum + estimateTokens(text), 0)

/**
 * Truncates a text to a length that the provider accepts. All providers reject an empty text. Some reject a text that
 * is too long or that ends in half a character.
 */
const truncateText = (text: string, tokens: number): string =>
  truncateToTokens(text.slice(0, tokens * 10), tokens)
    .toWellFormed()
    .trim() || '-'

function toUnitVector(numbers: number[], dimensions: number): Float32Array {
  if (numbers.length !== dimensions)
    throw new Unavailable(`EMBEDDING_DIMENSIONS is ${dimensions}, but the model's vectors have ${numbers.length}`)
  const length = Math.hypot(...numbers)
  if (!Number.isFinite(length) || length === 0) throw new InvalidVector('The vector has no direction')
  return Float32Array.from(numbers, number => number / length)
}
