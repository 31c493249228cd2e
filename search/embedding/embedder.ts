import type { Config } from '../../config/config.ts'
import type { Chunk } from '../../domain/chunking/chunk.ts'
import type { ObserveProviderCall } from '../../domain/provider-calls.ts'
import { openBuiltinEmbedder } from './builtin-embedder.ts'
import { openProviderEmbedder } from './provider-embedder.ts'

export interface EmbedOptions {
  signal?: AbortSignal
  /** Receives the number of tokens that the model read, as counted by the provider where available. */
  onUsage?: (tokens: number) => void
  /** Called once when the model read only the beginning of a text. */
  onTruncation?: () => void
}

/** Converts texts to vectors. The closer the directions of two vectors, the closer the meanings of their texts. */
export interface IndexEmbedder {
  /** The name that the index stores. Vectors of different models cannot be compared. */
  readonly model: string
  readonly dimensions: number
  /**
   * Returns one unit vector per text, in order; long texts are truncated, and calls with few texts precede calls with
   * many. Throws Unavailable, or the signal's reason.
   */
  embed(texts: string[], options?: EmbedOptions): Promise<Float32Array[]>
  /** Cuts a text into chunks off the event loop. Throws Unavailable, or the signal's reason. */
  chunk(text: string, options?: EmbedOptions): Promise<Chunk[]>
}

export interface Embedder extends IndexEmbedder {
  /** The same model for texts to index, for which nobody waits. All other work goes before, where the processors are busy. */
  forIndexing(): IndexEmbedder
  /** Throws Unavailable with the reason when the embedder cannot make vectors. */
  ready(): Promise<void>
  close(): Promise<void>
}

export type EmbeddingSettings = Pick<
  Config,
  Extract<keyof Config, `EMBEDDING_${string}` | `MODEL_${'BASE_URL' | 'API_KEY'}`>
>

export interface EmbedderOptions {
  observe?: ObserveProviderCall | undefined
  /** Whether requests of users go before its work, on a busy machine. Default: false. */
  isBackground?: boolean
}

/** Opens the embedder of these settings. It starts and connects at the first use. */
export const openEmbedder = (settings: EmbeddingSettings, options: EmbedderOptions = {}): Embedder =>
  settings.EMBEDDING_MODEL.startsWith('builtin:')
    ? openBuiltinEmbedder(settings, options)
    : openProviderEmbedder(settings, options)
