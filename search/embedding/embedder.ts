import type { Config } from '../../config/config.ts'
import type { Chunk } from '../../domain/chunking/chunk.ts'
import { openBuiltinEmbedder } from './builtin-embedder.ts'
import { openProviderEmbedder } from './provider-embedder.ts'

export interface EmbedOptions {
  signal?: AbortSignal
  /** Told how many tokens the model has read, by its provider's count where there is one. */
  onUsage?: (tokens: number) => void
}

/** Turns texts into vectors whose directions are closer the closer the texts are in meaning. */
export interface Embedder {
  /** As the index notes it. Vectors of two models can't be compared. */
  readonly model: string
  readonly dimensions: number
  /**
   * Unit vectors, one for each text, in order. What the model can't read of a long text is cut off. Calls with few
   * texts go before those with many. Throws Unavailable, or the signal's reason.
   */
  embed(texts: string[], options?: EmbedOptions): Promise<Float32Array[]>
  /** Cuts a text into what the model can read, off the event loop. Throws Unavailable, or the signal's reason. */
  chunk(text: string, options?: EmbedOptions): Promise<Chunk[]>
  /** Throws Unavailable, with the reason, where vectors can't be had now. */
  ready(): Promise<void>
  close(): Promise<void>
}

export type EmbeddingSettings = Pick<
  Config,
  Extract<keyof Config, `EMBEDDING_${string}` | `MODEL_${'BASE_URL' | 'API_KEY'}`>
>

/** The embedder of these settings; it starts and connects when first used. */
export const openEmbedder = (settings: EmbeddingSettings): Embedder =>
  settings.EMBEDDING_MODEL.startsWith('builtin:') ? openBuiltinEmbedder(settings) : openProviderEmbedder(settings)
