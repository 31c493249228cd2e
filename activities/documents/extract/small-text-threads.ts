import type { Logger } from 'pino'
import { Tinypool } from 'tinypool'
import { allButOne, createSemaphore } from '../../../domain/semaphore.ts'
import { DocumentError } from './document-error.ts'
import type { Extracted } from './extracted.ts'
import type { ExtractLimits } from './limits.ts'
import type { SmallText, ThreadAnswer } from './small-text-thread.ts'

/** Threads that extract small texts. A thread starts faster than a process, and serves many documents. */
export interface SmallTextThreads {
  /**
   * Extracts a text. Returns undefined when it is too much for a thread. Throws DocumentError, or the signal's reason when
   * it aborts before the text has its turn.
   */
  read(text: Omit<SmallText, 'limits'>, workspaceId: string, signal: AbortSignal): Promise<Extracted | undefined>
  close(): Promise<void>
}

const MAX_THREADS = 2
/** Some ten times what the slowest text of this size takes, with the start of a thread. */
const MAX_MS = 10_000
const MAX_HEAP_MB = 256
/** An idle thread uses memory, but a new one takes time to start. */
const MAX_IDLE_MS = 60_000

export function openSmallTextThreads({ limits, log }: { limits: ExtractLimits; log: Logger }): SmallTextThreads {
  const semaphore = createSemaphore(MAX_THREADS, { perGroup: allButOne(MAX_THREADS) })
  const threads = new Tinypool({
    filename: new URL('small-text-thread.ts', import.meta.url).href,
    minThreads: 0,
    maxThreads: MAX_THREADS,
    idleTimeout: MAX_IDLE_MS,
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
  })

  /** Returns undefined when the thread was ended, by its limits of time or memory. */
  async function runThread(text: SmallText): Promise<ThreadAnswer | undefined> {
    try {
      return (await threads.run(text, { signal: AbortSignal.timeout(MAX_MS) })) as ThreadAnswer
    } catch (err) {
      log.warn({ err, media_type: text.source.media_type }, 'a small text is too much for a thread')
      return undefined
    }
  }

  return {
    async read(text, workspaceId, signal) {
      const release = await semaphore.acquire(signal, workspaceId)
      const answer = await runThread({ ...text, limits }).finally(release)
      if (!answer || 'extracted' in answer) return answer?.extracted
      const { code, message, detail } = answer.failure
      if (code === 'DOCUMENT_TOO_LARGE') return undefined
      log.debug({ media_type: text.source.media_type, code, detail }, 'extraction failed')
      throw new DocumentError(code, message)
    },
    close: () => threads.destroy(),
  }
}
