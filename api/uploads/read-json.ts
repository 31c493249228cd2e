import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { AppError } from '../../domain/errors.ts'
import { type JsonUpload, parseJsonUpload } from './json-upload.ts'
import type { ThreadAnswer } from './json-thread.ts'

/** Up to here a body is parsed at once: that takes less time than starting a thread, and holds nobody up for long. */
const INLINE_BYTES = 524_288
const THREAD_MS = 30_000
const THREAD = new URL('json-thread.ts', import.meta.url)

/** Parses a body that carries a content, a large one in a thread of its own. The bytes are gone after that. */
export function readJson(body: Uint8Array<ArrayBuffer>): JsonUpload | Promise<JsonUpload> {
  return body.byteLength <= INLINE_BYTES ? parseJsonUpload(body) : inThread(body)
}

async function inThread(body: Uint8Array<ArrayBuffer>): Promise<JsonUpload> {
  const thread = new Worker(THREAD, { workerData: body, transferList: [body.buffer] })
  try {
    const [answer] = (await once(thread, 'message', { signal: AbortSignal.timeout(THREAD_MS) })) as [ThreadAnswer]
    if ('read' in answer) return answer.read
    const { code, status, message, details } = answer.refused
    throw new AppError(code, status, message, { details })
  } finally {
    await thread.terminate()
  }
}
