import { setPriority } from 'node:os'
import { startWatch } from '../../../documents/extract/process/start-watch.ts'
import { readRequest, sendBytes, sendJson } from '../../../documents/extract/process/wire.ts'
import { AudioError, damaged } from '../../audio-error.ts'
import { cutAudio } from './cut-audio.ts'
import { CUT_FRAME, type CutJob } from './messages.ts'

/** The process that cuts one audio and ends. Whatever happens in here happens to that audio only. */

const NICE = 10
const DETAIL_CHARS = 2_000

setPriority(NICE)
// Sent to the whole group when the worker is stopped; the worker decides what becomes of this process.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined)

const { job, bytes } = readRequest() as { job: CutJob; bytes: Buffer<ArrayBuffer> }
startWatch(job.memoryBytes)

try {
  await cutAudio(bytes, job, (piece, cut) => {
    if (cut) sendBytes(CUT_FRAME.bytes, cut)
    sendJson(CUT_FRAME.piece, piece)
  })
  sendJson(CUT_FRAME.done, {})
} catch (error) {
  const { code, message, cause } = error instanceof AudioError ? error : damaged(error)
  const detail = cause instanceof Error ? cause.stack?.slice(0, DETAIL_CHARS) : undefined
  sendJson(CUT_FRAME.failure, { code, message, detail })
}
process.exit(0)
