import { Tinypool } from 'tinypool'
import { Unavailable } from '../../domain/errors.ts'
import { exceedsJsonSize } from '../../domain/json-size.ts'
import { checkEditable, type Checked } from '../../domain/resources/checking.ts'
import type { KindDefinition } from '../../domain/resources/kind.ts'
import type { ValidationTask } from './validation-thread.ts'

/** Validates documents before a save. Large documents are validated in a thread, off the event loop. */
export interface DocumentValidator {
  /** Throws Unavailable while too many documents wait. */
  validate(wanted: unknown, kind: KindDefinition): Checked | Promise<Checked>
  close(): Promise<void>
}

/** In characters of JSON. Validation of a document up to this size takes a few milliseconds at most. */
const MAX_INLINE_CHARS = 16_000
const MAX_CHECK_MS = 30_000
const MAX_WAITING_DOCUMENTS = 100
/** An idle thread uses memory, but a new one takes time to start. */
const MAX_IDLE_MS = 60_000

const TIMED_OUT = {
  problems: [{ pointer: '', message: `took longer than ${MAX_CHECK_MS / 1_000} seconds to validate` }],
}

export function openDocumentValidator(): DocumentValidator {
  const threads = new Tinypool({
    filename: new URL('validation-thread.ts', import.meta.url).href,
    minThreads: 0,
    maxThreads: 1,
    idleTimeout: MAX_IDLE_MS,
  })

  async function validateInThread(task: ValidationTask): Promise<Checked> {
    if (threads.queueSize >= MAX_WAITING_DOCUMENTS)
      throw new Unavailable('Too many large documents are being validated')
    const limit = AbortSignal.timeout(MAX_CHECK_MS)
    try {
      return (await threads.run(task, { signal: limit })) as Checked
    } catch (error) {
      if (limit.aborted) return TIMED_OUT
      throw error
    }
  }

  return {
    validate: (document, kind) =>
      exceedsJsonSize(document, MAX_INLINE_CHARS)
        ? validateInThread({ document, kind: kind.kind })
        : checkEditable(document, kind),
    close: () => threads.destroy(),
  }
}
