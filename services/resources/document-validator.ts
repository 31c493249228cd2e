import { Tinypool } from 'tinypool'
import { Unavailable } from '../../domain/errors.ts'
import { exceedsJsonSize } from '../../domain/json-size.ts'
import { checkEditable, type Checked } from '../../domain/resources/checking.ts'
import type { KindDefinition } from '../../domain/resources/kind.ts'
import type { ValidationTask } from './validation-thread.ts'

/** Checks what is to be saved. A large one takes a while, in which nobody else waits for it. */
export interface DocumentValidator {
  /** Throws Unavailable while too many wait. */
  validate(wanted: unknown, kind: KindDefinition): Checked | Promise<Checked>
  close(): Promise<void>
}

/** In characters of JSON. Up to here a check takes a few milliseconds at most, wherever it is done. */
const MAX_INLINE_CHARS = 16_000
const MAX_CHECK_MS = 30_000
const MAX_WAITING_DOCUMENTS = 100
/** A thread takes a moment to start, and memory as long as it is there. */
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
