import { Tinypool } from 'tinypool'
import type { Chunk } from '../../domain/search/chunking/chunk.ts'
import type { ChunkPosition, ChunkTask } from './chunk-thread.ts'

/** Cuts texts into chunks in threads of low priority. */
export interface TextCutter {
  /** Throws the signal's reason. */
  cut(text: string, signal?: AbortSignal): Promise<Chunk[]>
  close(): Promise<void>
}

/** Two, so that small texts do not wait for a large one. */
const MAX_THREADS = 2
/** Sufficient for a text of the maximum size. */
const HEAP_MB = 1_024
/** An idle thread uses memory, but a new one takes time to start. */
const MAX_IDLE_MS = 60_000

export function openTextCutter(sizes: Omit<ChunkTask, 'text'>): TextCutter {
  const threads = new Tinypool({
    filename: new URL('chunk-thread.ts', import.meta.url).href,
    minThreads: 0,
    maxThreads: MAX_THREADS,
    idleTimeout: MAX_IDLE_MS,
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
  })
  return {
    async cut(text, signal) {
      signal?.throwIfAborted()
      const positions = threads.run({ text, ...sizes } satisfies ChunkTask, { signal }) as Promise<ChunkPosition[]>
      const chunks = await positions.catch((error: unknown) => {
        signal?.throwIfAborted()
        throw error
      })
      return chunks.map(position => Object.assign(position, { text: text.slice(position.start, position.end) }))
    },
    close: () => threads.destroy(),
  }
}
