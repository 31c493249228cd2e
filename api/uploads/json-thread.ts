import { parentPort, workerData } from 'node:worker_threads'
import { AppError } from '../../domain/errors.ts'
import { type JsonUpload, parseJsonUpload } from './json-upload.ts'

/** What the thread answers: errors lose their class on the way between threads. */
export type ThreadAnswer = { read: JsonUpload } | { refused: Pick<AppError, 'code' | 'status' | 'message' | 'details'> }

/** Parses the one body it was started with. */
function answer(body: Uint8Array): ThreadAnswer {
  try {
    return { read: parseJsonUpload(body) }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const { code, status, message, details } = error
    return { refused: { code, status, message, details } }
  }
}

/** Small contents share their memory with others and are copied instead. */
const owned = ({ read }: { read: JsonUpload }): ArrayBuffer[] =>
  Object.values(read.contents).flatMap(({ bytes }) =>
    bytes.buffer instanceof ArrayBuffer && bytes.buffer.byteLength === bytes.byteLength ? [bytes.buffer] : [],
  )

const found = answer(workerData as Uint8Array)
parentPort?.postMessage(found, 'read' in found ? owned(found) : [])
