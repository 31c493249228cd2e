import { receiveJob } from '../../../shared/isolation/receive-job.ts'
import { sendBytes, sendJson } from '../../../shared/isolation/wire.ts'
import { AudioError, brokenAudioError } from '../../audio-error.ts'
import { cutAudio } from './cut-audio.ts'
import { CUT_FRAME, type CutJob } from './messages.ts'

/** This process splits a single audio file. A failure here affects only that file. */
const MAX_DETAIL_CHARS = 2_000

const { job, bytes } = receiveJob() as unknown as { job: CutJob; bytes: Buffer<ArrayBuffer> }

try {
  await cutAudio(bytes, job, (piece, cut) => {
    if (cut) sendBytes(CUT_FRAME.bytes, cut)
    sendJson(CUT_FRAME.piece, piece)
  })
  sendJson(CUT_FRAME.done, {})
} catch (error) {
  const { code, message, cause } = error instanceof AudioError ? error : brokenAudioError(error)
  const detail = cause instanceof Error ? cause.stack?.slice(0, MAX_DETAIL_CHARS) : undefined
  sendJson(CUT_FRAME.failure, { code, message, detail })
}
process.exit(0)
