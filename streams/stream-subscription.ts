import { setTimeout as sleep } from 'node:timers/promises'
import type { Redis } from 'ioredis'
import type { Logger } from 'pino'
import { AppError } from '../domain/shared/errors.ts'
import type { EntrySink, StreamEntry } from '../domain/runs/job-event-source.ts'
import { precedingId, compareIds, parseStreamId, formatStreamId } from '../domain/shared/stream-id.ts'
import type { StreamId } from '../domain/shared/stream-id.ts'
import { BEGINNING, getRangeEnd, isContiguous, PAGE_ENTRIES, readPage, readRange } from './stream-pages.ts'
import type { StreamRange } from './stream-pages.ts'
import type { EventStream } from './stream-entries.ts'

export interface StreamSubscription<E extends StreamEntry> {
  stream: EventStream<E>
  /** Reads the range of stored entries. Throws Unavailable. */
  open(): Promise<void>
  /** Compares the reader's position with the end of the range that `open` has read. */
  findEnd(): 'reached' | 'ahead' | 'unknown'
  /** Delivers stored events to the sink, followed by live events. */
  start(sink: EntrySink<E>): void
  /** Stops the delivery of live events until `resume`, because some may be missing. */
  pause(): void
  /** Reads the events that were missed, then delivers live events again. */
  resume(): void
  /** Receives a live event. */
  push(entry: E): void
  close(): void
}

interface Deps<E extends StreamEntry> {
  commands: Redis
  stream: EventStream<E>
  after?: string
  /** Called after the terminal event is delivered. */
  onEnd: () => void
  log: Logger
}

const RETRY_MS = 250

/**
 * Creates one reader's subscription to one stream. During catch-up, live events only advance the target id. Pages are
 * read until the target id is reached, so that no event is buffered, lost or delivered twice.
 */
export function createStreamSubscription<E extends StreamEntry>({
  commands,
  stream,
  after,
  onEnd,
  log,
}: Deps<E>): StreamSubscription<E> {
  let position: string | undefined = after
  let positionId: StreamId | undefined = after === undefined ? undefined : parseStreamId(after)
  let state: 'catching up' | 'live' | 'closed' = 'catching up'
  let range: StreamRange<E> | undefined
  let latestSeen: E | undefined
  /** Set by `start`. */
  let sink!: EntrySink<E>
  let isStarted = false
  let isSubscribed = true
  let isRunning = false
  let isPending = false

  const isClosed = () => state === 'closed'

  function close(): void {
    state = 'closed'
  }

  function moveTo(id: string, at: StreamId): void {
    position = id
    positionId = at
  }

  function deliver(entry: E): boolean {
    if (isClosed()) return true
    if (isReached(entry)) {
      passBy(entry)
      return true
    }
    moveTo(entry.id, entry.at)
    const acceptsMore = sink.onEvent(entry)
    if (entry.ends) onEnd()
    return acceptsMore
  }

  /** Handles an entry at or before the position, without delivering it. No events follow the terminal entry. */
  function passBy({ ends }: StreamEntry): void {
    if (!ends) return
    sink.onAlreadyEnded()
    onEnd()
  }

  /**
   * Advances the position only after the sink has handled the gap. If the sink fails, the next catch-up reports the
   * gap again.
   */
  async function reportGap(at: StreamId, ends: boolean): Promise<void> {
    await sink.onGap({ at: formatStreamId(at), ends })
    moveTo(formatStreamId(at), at)
  }

  /** Sets the position of a reader that has none, and that therefore has missed nothing. */
  function startAtEnd(initialRange: StreamRange): void {
    const id = getRangeEnd(initialRange)
    moveTo(id, parseStreamId(id))
  }

  /** Checks the position against the stored range, once per catch-up. */
  async function checkPosition(): Promise<void> {
    const latestRange = range ?? (await readRange(commands, stream))
    range = undefined
    if (position === undefined && stream.startsAtEnd) return startAtEnd(latestRange)
    const { first, last } = latestRange
    if (last?.ends && isReached(last)) return passBy(last)
    if (isContiguous(latestRange, position)) return
    if (!first || !last) return reportGap(positionId ?? { ms: 0, n: 0 }, false)
    await reportGap(precedingId(first.at), last.ends)
  }

  async function readPages(): Promise<void> {
    for (;;) {
      const target = latestSeen
      const page = await readPage(commands, stream, position ?? BEGINNING)
      for (const entry of page) if (!deliver(entry)) await sink.whenDrained()
      if (isClosed()) return
      if (page.length === PAGE_ENTRIES) continue
      if (!latestSeen) return
      if (isReached(latestSeen)) return passBy(latestSeen)
      if (latestSeen === target) await deliverUnstored(latestSeen)
    }
  }

  /** Reports a gap, and then delivers an event that Redis lost before a page could contain it. */
  async function deliverUnstored(entry: E): Promise<void> {
    await reportGap(precedingId(entry.at), entry.ends)
    deliver(entry)
  }

  const isReached = ({ at }: StreamEntry) => positionId !== undefined && compareIds(at, positionId) <= 0

  async function catchUpOnce(): Promise<void> {
    await checkPosition()
    if (isClosed()) return
    await readPages()
    if (isClosed() || isPending || !isSubscribed) return
    state = 'live'
    await sink.onCaughtUp(position ?? BEGINNING)
  }

  function catchUp(): void {
    isPending = true
    if (isStarted && !isRunning) void run()
  }

  /** Retries a failed catch-up, because Redis may reject commands for longer than the subscriber was disconnected. */
  async function run(): Promise<void> {
    isRunning = true
    while (isPending && !isClosed()) {
      isPending = false
      await catchUpOnce().catch(async (err: unknown) => {
        if (!(err instanceof AppError)) log.error({ err, stream: stream.name }, 'catch-up failed')
        isPending = true
        await sleep(RETRY_MS, undefined, { ref: false })
      })
    }
    isRunning = false
  }

  return {
    stream,
    async open() {
      range = await readRange(commands, stream)
    },
    findEnd() {
      const last = range?.last
      if (!last?.ends) return 'unknown'
      return isReached(last) ? 'reached' : 'ahead'
    },
    start(to) {
      sink = to
      isStarted = true
      catchUp()
    },
    pause() {
      isSubscribed = false
      if (!isClosed()) state = 'catching up'
    },
    resume() {
      isSubscribed = true
      catchUp()
    },
    push(entry) {
      if (state === 'live') deliver(entry)
      else latestSeen = entry
    },
    close,
  }
}
