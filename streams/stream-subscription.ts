import { setTimeout as sleep } from 'node:timers/promises'
import type { Redis } from 'ioredis'
import type { Logger } from 'pino'
import { AppError } from '../domain/errors.ts'
import { before, compareIds, streamId, textOf } from '../domain/stream-id.ts'
import type { StreamId } from '../domain/stream-id.ts'
import { covers, PAGE, readEdges, readPage } from './stream-pages.ts'
import type { Edges } from './stream-pages.ts'
import type { JobEntry } from './job-stream.ts'

/** Where the events of one reader go. */
export interface JobSink {
  /** Takes an event. False asks a replay to wait for `drained`; live events come all the same. */
  entry(entry: JobEntry): boolean
  /** Resolves when more can be taken, or when the sink has given up. */
  drained(): Promise<void>
  /** Something before the next entry is missing. `at`: the position to resume from; `ends`: the terminal event is retained. */
  gap(missing: { at: string; ends: boolean }): Promise<void>
  /** All that is retained was given, and the stream has not ended. */
  caughtUp(): Promise<void>
  /** The position asked for is that of the terminal event: there is nothing left to say. */
  finished(): void
}

export interface Follower {
  /** Reads where the stream begins and ends. Throws Unavailable. */
  prepare(): Promise<void>
  /** Gives the sink what is retained, then what happens. */
  begin(sink: JobSink): void
  /** The channel is no longer heard: no live event is given until it is, and what was missed has been read. */
  hold(): void
  /** The channel is heard again. */
  resume(): void
  /** Takes a live event. */
  hear(entry: JobEntry): void
  stop(): void
}

interface Deps {
  commands: Redis
  jobId: string
  after?: string
  /** Called once the terminal event is out. */
  onEnd: () => void
  log: Logger
}

const RETRY_MS = 250

/**
 * Follows one stream for one reader. While it catches up, live events are only noted: pages are read until they reach
 * the newest one noted. So nothing is held in memory, lost or given twice.
 */
export function createFollower({ commands, jobId, after, onEnd, log }: Deps): Follower {
  let last: string | undefined = after
  let lastAt: StreamId | undefined = after === undefined ? undefined : streamId(after)
  let state: 'catching up' | 'live' | 'stopped' = 'catching up'
  let edges: Edges | undefined
  let noted: JobEntry | undefined
  /** Given by `begin`; nothing is told before. */
  let sink!: JobSink
  let begun = false
  let hearing = true
  let running = false
  let again = false

  const stopped = () => state === 'stopped'

  function stop(): void {
    state = 'stopped'
  }

  function moveTo(id: string, at: StreamId): void {
    last = id
    lastAt = at
  }

  function give(entry: JobEntry): boolean {
    if (stopped() || (lastAt && compareIds(entry.at, lastAt) <= 0)) return true
    moveTo(entry.id, entry.at)
    const more = sink.entry(entry)
    if (entry.ends) onEnd()
    return more
  }

  /** The position moves once the gap is told: when telling fails, catching up comes here again. */
  async function tellGap(at: StreamId, ends: boolean): Promise<void> {
    await sink.gap({ at: textOf(at), ends })
    moveTo(textOf(at), at)
  }

  /** Compares the position with what is retained, once per catching up. */
  async function settlePosition(): Promise<void> {
    const known = edges ?? (await readEdges(commands, jobId))
    edges = undefined
    const { first, tail } = known
    if (tail?.ends && lastAt && compareIds(lastAt, tail.at) >= 0) return endAt(tail)
    if (covers(known, last)) return
    if (!first || !tail) return tellGap(lastAt ?? { ms: 0, n: 0 }, false)
    const lost = lastAt && compareIds(lastAt, tail.at) > 0
    await tellGap(lost ? tail.at : before(first.at), tail.ends)
  }

  /** A reader at or beyond the end is told the end, unless it has just that. */
  function endAt(tail: JobEntry): void {
    if (last === tail.id) sink.finished()
    else sink.entry(tail)
    onEnd()
  }

  async function readOn(): Promise<void> {
    for (;;) {
      const target = noted
      const page = await readPage(commands, jobId, last ?? '0-0')
      for (const entry of page) if (!give(entry)) await sink.drained()
      if (stopped()) return
      if (page.length === PAGE) continue
      if (!noted || reached(noted)) return
      if (noted === target) await giveLost(noted)
    }
  }

  /** An event that was heard but is no longer stored, because Redis lost it in between. */
  async function giveLost(entry: JobEntry): Promise<void> {
    await tellGap(before(entry.at), entry.ends)
    give(entry)
  }

  const reached = (entry: JobEntry) => lastAt !== undefined && compareIds(entry.at, lastAt) <= 0

  async function catchUpOnce(): Promise<void> {
    await settlePosition()
    if (stopped()) return
    await readOn()
    if (stopped() || again || !hearing) return
    state = 'live'
    await sink.caughtUp()
  }

  function catchUp(): void {
    again = true
    if (begun && !running) void run()
  }

  /** Redis may be away for longer than the subscriber was: keep asking. */
  async function run(): Promise<void> {
    running = true
    while (again && !stopped()) {
      again = false
      await catchUpOnce().catch(async (err: unknown) => {
        if (!(err instanceof AppError)) log.error({ err, job_id: jobId }, 'catching up failed')
        again = true
        await sleep(RETRY_MS, undefined, { ref: false })
      })
    }
    running = false
  }

  return {
    async prepare() {
      edges = await readEdges(commands, jobId)
    },
    begin(given) {
      sink = given
      begun = true
      catchUp()
    },
    hold() {
      hearing = false
      if (!stopped()) state = 'catching up'
    },
    resume() {
      hearing = true
      catchUp()
    },
    hear(entry) {
      if (state === 'live') give(entry)
      else noted = entry
    },
    stop,
  }
}
