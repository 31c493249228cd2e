import type { Logger } from 'pino'
import { tooLarge } from './document-error.ts'
import type { DocumentSource, ExtractOptions, Extracted } from './extracted.ts'
import type { ExtractLimits } from './limits.ts'
import { runProcess } from './run-process.ts'
import { createSemaphore } from '../../semaphore.ts'

export interface Extractor {
  /**
   * The text of a document. Throws DocumentError, the signal's reason, or a retryable StepError (EXTRACTOR_LOST) where
   * its process was ended from outside. Nothing of it runs any more when it settles.
   */
  extract(bytes: Uint8Array, source: DocumentSource, options?: ExtractOptions): Promise<Extracted>
  /** Ends what runs and what waits. */
  close(): Promise<void>
}

export interface ExtractorSettings {
  limits: ExtractLimits
  log: Logger
}

/** Reads documents, each in a process of its own, some at a time. */
export function createExtractor({ limits, log }: ExtractorSettings): Extractor {
  const semaphore = createSemaphore(limits.concurrency)
  const closing = new AbortController()
  const open = new Set<Promise<unknown>>()

  async function extract(bytes: Uint8Array, source: DocumentSource, options: ExtractOptions): Promise<Extracted> {
    if (bytes.length > limits.inputBytes)
      throw tooLarge(`The document must have at most ${limits.inputBytes} bytes, not ${bytes.length}`)
    const signal = options.signal ? AbortSignal.any([closing.signal, options.signal]) : closing.signal
    const release = await semaphore.acquire(signal)
    try {
      return await runProcess({ bytes, source, limits, signal, onProgress: withErrorLog(options.onProgress), log })
    } finally {
      release()
    }
  }

  /** A listener's failure is none of the document. */
  function withErrorLog(onProgress: ExtractOptions['onProgress']) {
    return (done: number, total: number): void => {
      try {
        onProgress?.(done, total)
      } catch (err) {
        log.warn({ err }, 'reporting extraction progress failed')
      }
    }
  }

  return {
    async extract(bytes, source, options = {}) {
      const work = extract(bytes, source, options)
      open.add(work)
      try {
        return await work
      } finally {
        open.delete(work)
      }
    },
    async close() {
      closing.abort(new DOMException('The extractor was closed', 'AbortError'))
      await Promise.allSettled(open)
    },
  }
}
