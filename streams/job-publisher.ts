import { randomBytes } from 'node:crypto'
import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import type { Redis } from 'ioredis'
import type { Logger } from 'pino'
import { Unavailable } from '../domain/errors.ts'
import type { JobEvent } from '../domain/jobs.ts'
import { append, defineAppend } from './append-event.ts'
import type { Append, Speaker } from './append-event.ts'
import { isTerminalEvent } from './job-stream.ts'

/** Feeds the streams of jobs. The events of one process arrive in the order in which they were published. */
export interface JobPublisher {
  /**
   * Hands over an event and returns at once. Never throws; what Redis cannot take for long is replaced by a `gap`.
   * @param speaker once a later attempt at the same node has spoken, the event is dropped
   */
  publish(jobId: string, event: JobEvent, speaker?: Speaker): void
  /**
   * Publishes after everything before it and waits for the event's id. Throws Unavailable after `timeoutMs`; the event
   * stays in line then, and publishing the terminal event again writes it once.
   */
  publishNow(jobId: string, event: JobEvent, timeoutMs?: number): Promise<string>
  /** Resolves when everything handed over so far is in Redis, or after `timeoutMs`. */
  flush(timeoutMs?: number): Promise<void>
}

interface Options {
  /** Entries a stream keeps, roughly. */
  maxLength: number
  /** How long a stream lives on after its terminal event. */
  ttlSeconds: number
  log: Logger
  /** Events held while Redis is away. */
  bufferLimit?: number
}

interface Queued extends Append {
  settle?: (outcome: { id: string } | { error: unknown }) => void
}

/** The longest a stream without news lives while its run has not ended, in seconds: 90 days. */
const RUNNING_TTL = 90 * 86_400
const BATCH = 500
const RETRY_MS = 200
const WAIT_MS = 5_000
const GAP: JobEvent = { type: 'gap', message: 'Some events were not delivered; read the job for its state' }

export function createJobPublisher(redis: Redis, options: Options): JobPublisher {
  const { maxLength, ttlSeconds, log, bufferLimit = 10_000 } = options
  const publisher = randomBytes(6).toString('base64url')
  const queue: Queued[] = []
  /** Jobs that lost an event since their last `gap`. */
  const torn = new Set<string>()
  let seq = 0
  let pumping: Promise<void> | undefined
  defineAppend(redis)

  function enqueue(jobId: string, event: JobEvent, more: Pick<Queued, 'settle' | 'speaker'> = {}): void {
    const ends = isTerminalEvent(event)
    const json = JSON.stringify(event)
    const lives = ends ? ttlSeconds : RUNNING_TTL
    queue.push({ jobId, json, publisher, seq: ++seq, maxLength, ttlSeconds: lives, again: false, ends, ...more })
    pumping ??= pump()
  }

  /** Says that something is missing, at the place where it is missing. */
  function mend(jobId: string): void {
    if (torn.delete(jobId)) enqueue(jobId, GAP)
  }

  /** What is handed over in one turn of the event loop travels together. */
  async function pump(): Promise<void> {
    await setImmediate()
    while (queue.length > 0) {
      const { settled, refused } = await send(queue.slice(0, BATCH))
      queue.splice(0, settled)
      if (settled === 0) await sleep(RETRY_MS)
      if (queue.length === 0 && !refused) for (const jobId of torn) mend(jobId)
    }
    pumping = undefined
  }

  /** Settles events from the first on, up to one that got no answer; that one and the rest are sent again. */
  async function send(batch: Queued[]): Promise<{ settled: number; refused: boolean }> {
    const pipeline = redis.pipeline()
    for (const event of batch) append(pipeline, event)
    const replies = (await pipeline.exec().catch(() => null)) ?? []
    const unanswered = batch.findIndex((_, index) => !isAnswer(replies[index]))
    const settled = unanswered === -1 ? batch.length : unanswered
    const kept = batch.slice(0, settled).map((event, index) => settle(event, replies[index]))
    for (const event of batch.slice(settled)) event.again = true
    return { settled, refused: kept.includes(false) }
  }

  function settle(event: Queued, reply: Reply): boolean {
    const [error, id] = reply ?? [null, '']
    if (error) {
      torn.add(event.jobId)
      log.warn({ err: error, job_id: event.jobId }, 'publishing an event failed')
    }
    event.settle?.(error ? { error } : { id: String(id) })
    return !error
  }

  return {
    publish(jobId, event, speaker) {
      if (queue.length >= bufferLimit) {
        torn.add(jobId)
        return
      }
      mend(jobId)
      enqueue(jobId, event, { speaker })
    },

    publishNow(jobId, event, timeoutMs = WAIT_MS) {
      return new Promise((resolve, reject) => {
        const unavailable = (cause?: unknown) => reject(new Unavailable('The event could not be published', { cause }))
        const timer = setTimeout(unavailable, timeoutMs)
        mend(jobId)
        const settle: Queued['settle'] = outcome => {
          clearTimeout(timer)
          if ('id' in outcome) resolve(outcome.id)
          else unavailable(outcome.error)
        }
        enqueue(jobId, event, { settle })
      })
    },

    async flush(timeoutMs = WAIT_MS) {
      await Promise.race([pumping, sleep(timeoutMs, undefined, { ref: false })])
    },
  }
}

type Reply = [error: Error | null, result: unknown] | undefined

/** True when Redis itself answered, be it with an error; false when the connection failed or nothing came in time. */
const isAnswer = (reply: Reply): boolean => reply !== undefined && (reply[0] === null || reply[0].name === 'ReplyError')
