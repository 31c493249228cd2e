import { setPriority } from 'node:os'
import { documentErrorOf } from '../document-error.ts'
import { FRAME } from './frames.ts'
import { readDocument } from './read-document.ts'
import { startWatch } from './start-watch.ts'
import { readJob, sendJson, sendText } from './wire.ts'

/** The process that reads one document and ends. Whatever happens in here happens to that document only. */

/** Documents wait for whatever people wait for. */
const NICE = 10
const CAUSE_CHARS = 2_000

setPriority(NICE)
// Sent to the whole group when the worker is stopped; the worker decides what becomes of this process.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined)

const { job, bytes } = readJob()
const { source, limits } = job
startWatch(limits.memoryBytes)

try {
  const onProgress = (done: number, total: number) => sendJson(FRAME.progress, { done, total })
  const { text, ...rest } = await readDocument({ bytes, source, limits, onProgress })
  sendText(FRAME.text, text)
  sendJson(FRAME.result, rest)
} catch (error) {
  const { code, message, cause } = documentErrorOf(error)
  const detail = cause instanceof Error ? cause.stack?.slice(0, CAUSE_CHARS) : undefined
  sendJson(FRAME.failure, { code, message, detail })
}
process.exit(0)
