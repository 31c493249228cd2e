import type { ChildProcess } from 'node:child_process'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import type { Logger } from 'pino'
import { type Deadline, startDeadline } from '../../deadline.ts'
import { type End, endOf, onAbort, startIsolated } from '../../isolated-process.ts'
import { StepError } from '../../step-error.ts'
import { broken, DocumentError, tooMuchMemory, tooSlow } from './document-error.ts'
import type { DocumentSource, Extracted } from './extracted.ts'
import type { ExtractLimits } from './limits.ts'
import { type Answer, createAnswer } from './process/answer.ts'
import { readFrames } from './process/frames.ts'
import { endingOf } from './process/signals.ts'
import { encodeJob, OUT } from './process/wire.ts'

export interface Run {
  bytes: Uint8Array
  source: DocumentSource
  limits: ExtractLimits
  signal: AbortSignal
  onProgress: (done: number, total: number) => void
  log: Logger
}

const MAIN = fileURLToPath(new URL('process/main.ts', import.meta.url))

/**
 * Reads a document in a process of its own, which has ended when this settles. A thread would not do: where V8 finds no
 * room for one large array it ends the whole process, and what a thread takes outside its heap has no limit.
 */
export async function runProcess(run: Run): Promise<Extracted> {
  const { bytes, source, limits, signal, onProgress } = run
  const child = start(limits.memoryBytes)
  const deadline = startDeadline(limits.timeoutMs, signal)
  const ended = endOf(child)
  onAbort(deadline.signal, () => child.kill('SIGKILL'))
  child.stdin?.write(encodeJob({ source, limits, bytes: bytes.length }))
  child.stdin?.end(bytes)
  const answer = createAnswer(limits.textChars, onProgress)
  const problem = await receive(child, answer)
  deadline.done()
  child.kill('SIGKILL')
  const end = await ended
  if (answer.extracted) return answer.extracted
  throw answer.failure ? told(run, answer) : untold(run, deadline, problem, end)
}

function start(memoryBytes: number): ChildProcess {
  try {
    return startIsolated(MAIN, memoryBytes)
  } catch (error) {
    throw lost(error)
  }
}

/** Until the answer is complete or the process says nothing more; settles with what was wrong with what it said. */
async function receive(child: ChildProcess, answer: Answer): Promise<unknown> {
  try {
    for await (const frame of readFrames(child.stdio[OUT] as Readable)) if (answer.take(frame)) return undefined
    return undefined
  } catch (error) {
    return error
  }
}

function told({ source, log }: Run, { failure, detail }: Answer): unknown {
  log.debug({ media_type: source.media_type, code: failure?.code, detail }, 'extraction failed')
  return failure
}

function untold({ source, limits, signal, log }: Run, deadline: Deadline, problem: unknown, end: End): unknown {
  if (deadline.expired()) return tooSlow(limits.timeoutMs)
  if (signal.aborted) return signal.reason
  if (problem instanceof DocumentError) return problem
  const ending = endingOf(end.signal)
  log.warn(
    { media_type: source.media_type, ending, ...end, err: end.error ?? problem },
    'extraction process ended unexpectedly',
  )
  if (end.error) return lost(end.error)
  if (ending === 'memory') return tooMuchMemory(limits.memoryBytes)
  if (ending === 'crash' || problem) return broken('The document is damaged', problem)
  return lost()
}

const lost = (cause?: unknown) =>
  new StepError('EXTRACTOR_LOST', 'The extraction process ended unexpectedly', { retryable: true, cause })
