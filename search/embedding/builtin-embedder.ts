import { availableParallelism } from 'node:os'
import type { Embedder, EmbedderOptions, EmbeddingSettings, IndexEmbedder } from './embedder.ts'
import { createIdleFirst } from './idle-first.ts'
import { createModelPool } from './model-pool.ts'
import { createModelProcess, type ModelTasks } from './model-process.ts'
import type { ProcessPriority } from './process/messages.ts'
import { createSliceQueue, type SliceOptions } from './slices.ts'

/** all-MiniLM-L6-v2. A chunk leaves room for the title and heading that are embedded with it. */
const DIMENSIONS = 384
const MAX_INPUT_TOKENS = 256
const CHUNK_TOKENS = 208
const OVERLAP_TOKENS = 32
/** An estimate for English, used only for the ledger. */
const CHARS_PER_TOKEN = 4
/** The model reads fewer characters of any text. */
const MAX_INPUT_CHARS = 16_384

/** Processes that index, of 300 MB each. Two are faster than one on as many cores, since no thread of them waits for another. */
const MAX_INDEX_PROCESSES = 2
/** Characters of a slice for each thread: on one, texts are as fast alone as together, unless they are short. */
const MAX_CHARS_A_THREAD = 400

/** Opens the built-in model in a separate process, and in others for indexing. It needs no external service. */
export function openBuiltinEmbedder(
  settings: EmbeddingSettings,
  { isBackground }: Pick<EmbedderOptions, 'isBackground'>,
): Embedder {
  const { EMBEDDING_MODEL_DIR: folder, EMBEDDING_MODEL_HUB: hub } = settings
  const cores = Math.min(settings.EMBEDDING_THREADS, availableParallelism())
  const start = (priority: ProcessPriority, threads: number) =>
    createModelProcess(
      {
        model: { folder, hub, threads, dimensions: DIMENSIONS, maxInputTokens: MAX_INPUT_TOKENS },
        chunkTokens: CHUNK_TOKENS,
        overlapTokens: OVERLAP_TOKENS,
        priority,
      },
      settings.EMBEDDING_TIMEOUT_SECONDS * 1_000,
    )
  // The hub's file has another quantisation, so its vectors differ.
  const name = hub === undefined ? settings.EMBEDDING_MODEL : `${settings.EMBEDDING_MODEL}@hub`
  const steady = start(isBackground ? 'low' : 'normal', cores)
  const concurrency = Math.min(cores, MAX_INDEX_PROCESSES)
  // An odd number of cores gives one process a thread more.
  const threads = Array.from({ length: concurrency }, (_, i) => Math.floor((cores + i) / concurrency))
  const idle = threads.map(count => start('idle', count))
  const pool = createModelPool(idle.map(each => createIdleFirst(each, steady)))
  const indexing = embedWith(name, pool, { concurrency, maxChars: Math.min(...threads) * MAX_CHARS_A_THREAD })
  return {
    ...embedWith(name, steady),
    forIndexing: () => indexing,
    ready: () => steady.load(),
    close: async () => void (await Promise.all([steady, ...idle].map(each => each.close()))),
  }
}

/** Embeds with a process of the model or several, in slices. */
function embedWith(model: string, tasks: ModelTasks, options?: SliceOptions): IndexEmbedder {
  const queue = createSliceQueue(async texts => {
    const { vectors, truncated } = await tasks.embed(texts)
    return texts.map((_, i) => ({
      vector: vectors.slice(i * DIMENSIONS, (i + 1) * DIMENSIONS),
      isTruncated: truncated.includes(i),
    }))
  }, options)
  return {
    model,
    dimensions: DIMENSIONS,
    async embed(texts, { signal, onUsage, onTruncation } = {}) {
      const read = texts.map(text => text.slice(0, MAX_INPUT_CHARS))
      const embedded = await queue.embed(read, signal)
      onUsage?.(
        read.reduce((sum, text) => sum + Math.min(MAX_INPUT_TOKENS, Math.ceil(text.length / CHARS_PER_TOKEN)), 0),
      )
      if (embedded.some(({ isTruncated }) => isTruncated)) onTruncation?.()
      return embedded.map(({ vector }) => vector)
    },
    chunk: (text, { signal } = {}) => tasks.chunk(text, signal),
  }
}
