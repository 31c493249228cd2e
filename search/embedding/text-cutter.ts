import { Tinypool } from 'tinypool'
import type { Chunk } from '../../domain/search/chunking/chunk.ts'
import type { ChunkPosition, ChunkTask } from './chunk-thread.ts'

/** Splits texts into chunks in low-priority threads. */
export interface TextCutter {
  /** Returns the chunks of a text. Throws the signal's reason when the signal aborts. */
  cut(text: string, signal?: AbortSignal): Promise<Chunk[]>
  close(): Promise<void>
}

/** With two threads, small texts do not wait for a large one. */
const MAX_THREADS = 2
/** Heap size of a thread. Sufficient for a text of the maximum size. */
const HEAP_MB = 1_024
/** How long an idle thread is kept. Keeping one uses memory, but starting one takes time. */
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
