import { fileURLToPath } from 'node:url'
import type { Logger } from 'pino'
import type { Frame } from '../../shared/isolation/frames.ts'
import { type End, startIsolated } from '../../shared/isolation/isolated-process.ts'
import { classifyEnding } from '../../shared/isolation/signals.ts'
import { StepError } from '../../../domain/runs/step-error.ts'
import {
  brokenDocumentError,
  DocumentError,
  memoryLimitError,
  readTimeoutError,
} from '../../../services/documents/reading/document-error.ts'
import type { DocumentSource, ExtractedDocument } from '../../../services/documents/reading/extracted.ts'
import type { ExtractLimits } from '../../../services/documents/reading/limits.ts'
import { type Answer, createAnswer } from './process/answer.ts'
import type { ExtractJob } from './process/messages.ts'

export interface Extraction {
  bytes: Uint8Array
  source: DocumentSource
  limits: ExtractLimits
  signal: AbortSignal
  onProgress: (done: number, total: number) => void
  log: Logger
}

const MAIN = fileURLToPath(new URL('process/main.ts', import.meta.url))

/**
 * Reads a document in an isolated process, which has ended by the time the promise settles. A thread is not
 * sufficient: V8 terminates the whole process if it cannot allocate a large array, and memory outside a thread's heap
 * is not limited.
 */
export async function runProcess(run: Extraction): Promise<ExtractedDocument> {
  const { bytes, source, limits, onProgress, log } = run
  const { memoryBytes } = limits
  const timeout = AbortSignal.timeout(limits.timeoutMs)
  const job: ExtractJob = { source, limits }
  const signal = AbortSignal.any([run.signal, timeout])
  const child = startIsolated({ main: MAIN, job, bytes, memoryBytes, signal })
  const answer = createAnswer(limits.textChars, onProgress)
  const problem = await receive(child.frames, answer)
  const end = await child.end()
  if (answer.extracted) return answer.extracted
  if (answer.failure) {
    log.debug({ media_type: source.media_type, code: answer.failure.code, detail: answer.detail }, 'extraction failed')
    throw answer.failure
  }
  run.signal.throwIfAborted()
  throw timeout.aborted ? readTimeoutError(limits.timeoutMs) : processError(run, problem, end)
}

/**
 * Resolves when the answer is complete or the process has ended. Returns the problem with the received frames, if
 * any.
 */
async function receive(frames: AsyncIterable<Frame>, answer: Answer): Promise<unknown> {
  try {
    for await (const frame of frames) if (answer.add(frame)) return undefined
    return undefined
  } catch (error) {
    return error
  }
}

/** Returns the error for a process that ended without an answer. */
function processError({ source, limits, log }: Extraction, problem: unknown, end: End): StepError {
  if (problem instanceof DocumentError) return problem
  const ending = classifyEnding(end.signal)
  const { signal, stderr, error = problem } = end
  log.warn(
    { media_type: source.media_type, ending, signal, stderr, err: error },
    'extraction process ended unexpectedly',
  )
  if (!end.error && ending === 'memory') return memoryLimitError(limits.memoryBytes)
  if (!end.error && (ending === 'crash' || problem)) return brokenDocumentError('The document is damaged', problem)
  return new StepError('EXTRACTOR_LOST', 'The extraction process ended unexpectedly', {
    retryable: true,
    cause: end.error,
  })
}
