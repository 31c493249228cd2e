import { Tinypool } from 'tinypool'
import { Unavailable } from '../../domain/errors.ts'
import { exceedsJsonSize } from '../../domain/json-size.ts'
import { checkEditable, type Checked } from '../../domain/resources/checking.ts'
import type { KindDefinition } from '../../domain/resources/kind.ts'
import type { CheckTask } from './check-thread.ts'

/** Checks what is to be saved. A large one takes a while, in which nobody else waits for it. */
export interface Checker {
  /** Throws Unavailable while too many wait. */
  check(wanted: unknown, kind: KindDefinition): Checked | Promise<Checked>
  close(): Promise<void>
}

/** In characters of JSON. Up to here a check takes a few milliseconds at most, wherever it is done. */
const LARGE = 16_000
const MAX_CHECK_MS = 30_000
const MAX_WAITING_DOCUMENTS = 100
/** A thread takes a moment to start, and memory as long as it is there. */
const IDLE_MS = 60_000

const IN_TIME = { problems: [{ pointer: '', message: `took longer than ${MAX_CHECK_MS / 1_000} seconds to validate` }] }

export function openChecker(): Checker {
  const threads = new Tinypool({
    filename: new URL('check-thread.ts', import.meta.url).href,
    minThreads: 0,
    maxThreads: 1,
    idleTimeout: IDLE_MS,
  })

  async function inThread(task: CheckTask): Promise<Checked> {
    if (threads.queueSize >= MAX_WAITING_DOCUMENTS)
      throw new Unavailable('Too many large documents are being validated')
    const limit = AbortSignal.timeout(MAX_CHECK_MS)
    try {
      return (await threads.run(task, { signal: limit })) as Checked
    } catch (error) {
      if (limit.aborted) return IN_TIME
      throw error
    }
  }

  return {
    check: (wanted, kind) =>
      exceedsJsonSize(wanted, LARGE) ? inThread({ wanted, kind: kind.kind }) : checkEditable(wanted, kind),
    close: () => threads.destroy(),
  }
}
