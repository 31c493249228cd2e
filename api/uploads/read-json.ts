import { Tinypool } from 'tinypool'
import { AppError } from '../../domain/shared/errors.ts'
import type { ThreadAnswer, ThreadTask } from './json-thread.ts'
import { type JsonUpload, parseJsonUpload } from './json-upload.ts'

/**
 * Parses a JSON body that contains content. The input bytes cannot be used afterwards. Throws ValidationError and
 * PayloadTooLarge.
 */
export type JsonReader = (body: Uint8Array<ArrayBuffer>) => JsonUpload | Promise<JsonUpload>

/** A body smaller than this is parsed inline, because starting a thread would take longer. */
const MAX_INLINE_BYTES = 524_288
const MAX_PARSE_MS = 30_000
const MAX_THREADS = 2
/** Idle threads use memory, so they are stopped after this many milliseconds. */
const IDLE_MS = 10_000

/**
 * Parses large bodies in threads. A body may have `maxOtherBytes` in addition to its contents. Idle threads don't
 * keep the process alive.
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
    throw new AppError(code, message, { status, details })
  }

  return body => (body.byteLength <= MAX_INLINE_BYTES ? parseJsonUpload(body, maxOtherBytes) : readInThread(body))
}
