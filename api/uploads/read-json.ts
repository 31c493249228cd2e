import { Tinypool } from 'tinypool'
import { AppError } from '../../domain/shared/errors.ts'
import type { ThreadAnswer, ThreadTask } from './json-thread.ts'
import { type JsonUpload, parseJsonUpload } from './json-upload.ts'

/**
 * Parses a JSON body that carries a content. The bytes cannot be used afterwards. Throws ValidationError and
 * PayloadTooLarge.
 */
export type JsonReader = (body: Uint8Array<ArrayBuffer>) => JsonUpload | Promise<JsonUpload>

/** A smaller body is parsed inline, in less time than a thread needs to start. */
const MAX_INLINE_BYTES = 524_288
const MAX_PARSE_MS = 30_000
const MAX_THREADS = 2
/** An idle thread keeps its memory. */
const IDLE_MS = 10_000

/**
 * Parses large bodies in threads. A body may have `maxOtherBytes` beside its contents. Idle threads do not keep the
 * process running.
 */
export function createJsonReader(maxOtherBytes: number): JsonReader {
  const threads = new Tinypool({
    filename: new URL('json-thread.ts', import.meta.url).href,
    minThreads: 0,
    maxThreads: MAX_THREADS,
    idleTimeout: IDLE_MS,
  })

  async function readInThread(body: Uint8Array<ArrayBuffer>): Promise<JsonUpload> {
    const options = { transferList: [body.buffer], signal: AbortSignal.timeout(MAX_PARSE_MS) }
    const answer = (await threads.run({ body, maxOtherBytes } satisfies ThreadTask, options)) as ThreadAnswer
    if ('upload' in answer) return answer.upload
    const { code, status, message, details } = answer.error
    throw new AppError(code, status, message, { details })
  }

  return body => (body.byteLength <= MAX_INLINE_BYTES ? parseJsonUpload(body, maxOtherBytes) : readInThread(body))
}
