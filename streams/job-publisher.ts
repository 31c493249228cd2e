import { randomBytes } from 'node:crypto'
import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import type { Redis } from 'ioredis'
import type { Logger } from 'pino'
import { Unavailable } from '../domain/shared/errors.ts'
import type { JobEvent } from '../domain/runs/events.ts'
import { append, defineAppend } from './append-event.ts'
import type { Append, NodeAttempt } from './append-event.ts'
import { orUnavailable } from './redis.ts'
import { attemptsKey, isTerminalEvent, streamKey } from './stream-entries.ts'
import { toStorableJson } from '../domain/shared/json/storable.ts'

/** Publishes job events. Events from one process are appended in the order of the calls. */
export interface JobPublisher {
  /**
   * Queues an event. Never throws. When the queue is full because Redis is unavailable, events are replaced by a
   * `gap`.
   * @param speaker the node attempt; the event is dropped if a later attempt at the same node has published
   */
  publish(jobId: string, event: JobEvent, speaker?: NodeAttempt): void
  /**
   * Like `publish`, for events that are published again after an interruption. The stream gets only one event with
   * this name.
   */
  publishOnce(jobId: string, event: JobEvent, name: string): void
  /**
   * Queues an event and resolves with its id. Throws Unavailable after `timeoutMs`; the event then stays in the
   * queue. A terminal event that is published again is stored only once.
   */
  publishNow(jobId: string, event: JobEvent, timeoutMs?: number): Promise<string>
  /** Replaces a job's stream with the terminal event. Nothing can be appended afterwards. Throws Unavailable. */
  replaceStream(jobId: string, terminal: JobEvent): Promise<void>
  /** Deletes a job's stream. Must be called before the job record is removed. Throws Unavailable. */
  deleteStream(jobId: string): Promise<void>
  /** Returns the number of queued events and the age of the oldest event. */
  measureQueue(): { events: number; oldestMs: number }
  /** Resolves when the queue is empty, or after `timeoutMs`. */
  flush(timeoutMs?: number): Promise<void>
}

interface Options {
  /** Approximate maximum number of entries in a stream. */
  maxLength: number
  /** How long a stream is kept after its terminal event, in seconds. */
  ttlSeconds: number
  log: Logger
  /** Maximum number of queued events. */
  bufferLimit?: number
}

interface QueuedEvent extends Append {
  queuedAt: number
  settle?: (outcome: { id: string } | { error: unknown }) => void
}

/** How long the stream of an open run is kept after its latest event: 90 days. */
const OPEN_TTL_SECONDS = 90 * 86_400
const BATCH = 500
const RETRY_MS = 200
const WAIT_MS = 5_000
const GAP: JobEvent = { type: 'gap', message: 'Some events were not delivered; read the job for its state' }

export function createJobPublisher(redis: Redis, options: Options): JobPublisher {
  const { maxLength, ttlSeconds, log, bufferLimit = 10_000 } = options
  const publisher = randomBytes(6).toString('base64url')
  const queue: QueuedEvent[] = []
  /** Jobs that have dropped events and no `gap` for them yet. */
  const jobsWithGap = new Set<string>()
  let seq = 0
  let draining: Promise<void> | undefined
  defineAppend(redis)

  function toAppend(jobId: string, event: JobEvent): Append {
    const ends = isTerminalEvent(event)
    const json = toStorableJson(event)
    const ttl = ends ? ttlSeconds : OPEN_TTL_SECONDS
    return { jobId, json, publisher, seq: ++seq, maxLength, ttlSeconds: ttl, isRetry: false, ends }
  }

  function enqueue(jobId: string, event: JobEvent, more: Pick<QueuedEvent, 'settle' | 'node' | 'once'> = {}): void {
    queue.push({ ...toAppend(jobId, event), ...more, queuedAt: Date.now() })
    draining ??= drainQueue()
  }

  /** Queues a `gap` where the events were dropped. */
  function publishGap(jobId: string): void {
    if (jobsWithGap.delete(jobId)) enqueue(jobId, GAP)
  }

  /** Sends queued events. Events that were queued in the same tick are sent in one pipeline. */
  async function drainQueue(): Promise<void> {
    await setImmediate()
    while (queue.length > 0) {
      const { settled, refused } = await send(queue.slice(0, BATCH))
      queue.splice(0, settled)
      if (settled === 0) await sleep(RETRY_MS)
      if (queue.length === 0 && !refused) for (const jobId of jobsWithGap) publishGap(jobId)
    }
    draining = undefined
  }

  /**
   * Settles events up to the first one that got no reply. The caller must send that event and the following ones
   * again.
   */
  async function send(batch: QueuedEvent[]): Promise<{ settled: number; refused: boolean }> {
    const pipeline = redis.pipeline()
    for (const event of batch) append(pipeline, event)
    const replies = (await pipeline.exec().catch(() => null)) ?? []
    const firstUnanswered = batch.findIndex((_, index) => !isReply(replies[index]))
    const settled = firstUnanswered === -1 ? batch.length : firstUnanswered
    const results = batch.slice(0, settled).map((event, index) => settle(event, replies[index]))
    for (const event of batch.slice(settled)) event.isRetry = true
    return { settled, refused: results.includes(false) }
  }

  function settle(event: QueuedEvent, reply: Reply): boolean {
    const [error, id] = reply ?? [null, '']
    if (error) {
      jobsWithGap.add(event.jobId)
      log.warn({ err: error, job_id: event.jobId }, 'failed to publish an event')
    }
    event.settle?.(error ? { error } : { id: String(id) })
    return !error
  }

  function publish(jobId: string, event: JobEvent, more: Pick<QueuedEvent, 'node' | 'once'>): void {
    if (queue.length >= bufferLimit) {
      jobsWithGap.add(jobId)
      return
    }
    publishGap(jobId)
    enqueue(jobId, event, more)
  }

  return {
    publish: (jobId, event, node) => publish(jobId, event, { node }),
    publishOnce: (jobId, event, once) => publish(jobId, event, { once }),

    publishNow(jobId, event, timeoutMs = WAIT_MS) {
      return new Promise((resolve, reject) => {
        const unavailable = (cause?: unknown) => reject(new Unavailable('The event could not be published', { cause }))
        const timer = setTimeout(unavailable, timeoutMs)
        publishGap(jobId)
        const settle: QueuedEvent['settle'] = outcome => {
          clearTimeout(timer)
          if ('id' in outcome) resolve(outcome.id)
          else unavailable(outcome.error)
        }
        enqueue(jobId, event, { settle })
      })
    },

    async replaceStream(jobId, terminal) {
      const pipeline = redis.multi().del(streamKey(jobId), attemptsKey(jobId))
      append(pipeline, toAppend(jobId, terminal))
      const replies = await orUnavailable(pipeline.exec())
      if (!replies?.every(isReply)) throw new Unavailable('The event stream could not be replaced')
    },

    async deleteStream(jobId) {
      await orUnavailable(redis.del(streamKey(jobId), attemptsKey(jobId)))
    },

    measureQueue() {
      const [oldest] = queue
      return { events: queue.length, oldestMs: oldest ? Date.now() - oldest.queuedAt : 0 }
    },

    async flush(timeoutMs = WAIT_MS) {
      await Promise.race([draining, sleep(timeoutMs, undefined, { ref: false })])
    },
  }
}

type Reply = [error: Error | null, result: unknown] | undefined

/** Returns true for a reply or an error from Redis. Returns false when the connection failed or timed out. */
const isReply = (reply: Reply): boolean => reply !== undefined && (reply[0] === null || reply[0].name === 'ReplyError')
