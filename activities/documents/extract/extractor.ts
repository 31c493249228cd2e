import type { Logger } from 'pino'
import { documentTooLargeError } from '../../../services/documents/reading/document-error.ts'
import type {
  DocumentSource,
  ExtractOptions,
  ExtractedDocument,
} from '../../../services/documents/reading/extracted.ts'
import type { ExtractLimits } from '../../../services/documents/reading/limits.ts'
import { runProcess } from './run-process.ts'
import { allButOne, createSemaphore } from '../../../domain/shared/fairness/semaphore.ts'

export interface Extractor {
  /**
   * Extracts a document's text in a separate process, which has ended by the time the promise settles. Throws
   * DocumentError, the signal's reason, or a retryable StepError (EXTRACTOR_LOST) if the process was killed
   * externally.
   */
  extract(bytes: Uint8Array, source: DocumentSource, options: ExtractOptions): Promise<ExtractedDocument>
  /** Aborts running and queued extractions. */
  close(): Promise<void>
}

export interface ExtractorSettings {
  limits: ExtractLimits
  log: Logger
}

/** Extracts documents with limited concurrency. Each workspace leaves at least one process for the others. */
export function createExtractor({ limits, log }: ExtractorSettings): Extractor {
  const semaphore = createSemaphore(limits.concurrency, { perGroup: allButOne(limits.concurrency) })
  const closing = new AbortController()
  const open = new Set<Promise<unknown>>()

  async function extract(
    bytes: Uint8Array,
    source: DocumentSource,
    options: ExtractOptions,
  ): Promise<ExtractedDocument> {
    if (bytes.length > limits.inputBytes)
      throw documentTooLargeError(`The document must have at most ${limits.inputBytes} bytes, not ${bytes.length}`)
    const signal = options.signal ? AbortSignal.any([closing.signal, options.signal]) : closing.signal
    const release = await semaphore.acquire(signal, options.workspace_id)
    try {
      return await runProcess({ bytes, source, limits, signal, onProgress: withErrorLog(options.onProgress), log })
    } finally {
      release()
    }
  }

  /** A failure in the listener must not fail the extraction. */
  function withErrorLog(onProgress: ExtractOptions['onProgress']) {
    return (done: number, total: number): void => {
      try {
        onProgress?.(done, total)
      } catch (err) {
        log.warn({ err }, 'failed to report extraction progress')
      }
    }
  }

  return {
    async extract(bytes, source, options) {
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
