import { kTransferable, kValue, Tinypool } from 'tinypool'
import { AppError } from '../../domain/shared/errors.ts'
import { type JsonUpload, parseJsonUpload } from './json-upload.ts'
import { lowerPriority } from '../../observability/fairness/low-priority.ts'

lowerPriority()

export interface ThreadTask {
  body: Uint8Array
  maxOtherBytes: number
}

/**
 * The result or the error of a task. Errors are passed as plain data, because they lose their class between threads.
 */
export type ThreadAnswer = { upload: JsonUpload } | { error: Pick<AppError, 'code' | 'status' | 'message' | 'details'> }

/** Parses a body in a thread. The contents are transferred to the caller instead of being copied. */
export default function readInThread(task: ThreadTask): unknown {
  const answer = parse(task)
  return Tinypool.move({ [kTransferable]: listTransferable(answer), [kValue]: answer })
}

function parse({ body, maxOtherBytes }: ThreadTask): ThreadAnswer {
  try {
    return { upload: parseJsonUpload(body, maxOtherBytes) }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const { code, status, message, details } = error
    return { error: { code, status, message, details } }
  }
}

/** Lists the buffers to transfer. Small contents share their buffer with others, so they are copied instead. */
function listTransferable(answer: ThreadAnswer): ArrayBuffer[] {
  if ('error' in answer) return []
  const { contents, documents = [] } = answer.upload
  const all = [contents, ...documents.map(document => document.contents)].flatMap(content => Object.values(content))
  return all.flatMap(({ bytes }) =>
    bytes.buffer instanceof ArrayBuffer && bytes.buffer.byteLength === bytes.byteLength ? [bytes.buffer] : [],
  )
}
