import { receiveJob } from '../../../shared/isolation/receive-job.ts'
import { sendBytes, sendJson } from '../../../shared/isolation/wire.ts'
import { describeFailure } from '../../../../services/documents/reading/document-error.ts'
import { type ExtractJob, FRAME } from './messages.ts'
import { readDocument } from './read-document.ts'

/** This process extracts the text of a single document. A failure here affects only that document. */
const { job, bytes } = receiveJob() as unknown as { job: ExtractJob; bytes: Buffer<ArrayBuffer> }
const { source, limits } = job

try {
  const onProgress = (done: number, total: number) => sendJson(FRAME.progress, { done, total })
  const { text, ...rest } = await readDocument({ bytes, source, limits, onProgress })
  sendBytes(FRAME.text, Buffer.from(text))
  sendJson(FRAME.result, rest)
} catch (error) {
  sendJson(FRAME.failure, describeFailure(error))
}
process.exit(0)
