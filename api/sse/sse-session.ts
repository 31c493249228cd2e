import type { JobEvent } from '../../domain/jobs.ts'
import { compareIds, streamId } from '../../domain/stream-id.ts'
import type { SseClient } from './sse-connection.ts'
import { frameAt, frameOf } from './frames.ts'
import type { FeedEntry, FeedSink } from './job-feed.ts'

/** What the record knows of a job's stream. */
export interface Story {
  terminal?: JobEvent
  finished_at?: string
  events: JobEvent[]
}

/** The stream of one job to one client. */
export interface JobStream {
  sink: FeedSink
  /** True when nothing came since this was last asked. */
  wasIdle(): boolean
  /** Tells what the record knows and, where the run has ended, ends the stream with it. */
  tellRecord(): Promise<void>
}

interface Deps {
  client: SseClient
  after?: string
  /** True when the run had ended before the stream was opened. */
  hasEnded: boolean
  story: () => Promise<Story>
  /** Called once, when the last event is written or nothing more can be. */
  onEnd: () => void
}

const GAP: JobEvent = {
  type: 'gap',
  message: 'Events before this one are no longer kept; what the record knows follows',
}

export function createJobStream({ client, after, hasEnded, story, onEnd }: Deps): JobStream {
  let last = after ?? '0-0'
  let idle = true
  let ended = false
  /** Nodes whose text was told from the record, by key. */
  const told = new Set<string>()
  let telling: Promise<void> | undefined

  function end(): void {
    if (ended) return
    ended = true
    client.end()
    onEnd()
  }

  /** Events that are not in the stream carry a position of it, so that a client can resume from any of them. */
  async function say(events: JobEvent[], at: string): Promise<void> {
    for (const event of events) if (!client.send(frameAt(at, event))) await client.drained()
  }

  /** The record's own end, unless the stream still holds it. A client that resumes from there has all there is. */
  async function tellStory(at: string, streamEnds: boolean): Promise<void> {
    const { terminal, finished_at, events } = await story()
    if (ended) return
    for (const event of events) if (event.type === 'token' && event.key) told.add(event.key)
    const endsAt = streamEnds ? undefined : endOf(finished_at)
    if (!terminal || !endsAt) return say([GAP, ...events], at)
    if (!isAtOrBeyond(endsAt)) await say([GAP, ...events], at)
    await sayEnd(terminal, endsAt)
  }

  /** What a node said is in the record as a whole once it is done: the same pieces are not told again. */
  function isTold({ json }: FeedEntry): boolean {
    const event = JSON.parse(json) as JobEvent
    return (event.type === 'token' || event.type === 'attempt_reset') && event.key !== undefined && told.has(event.key)
  }

  async function sayEnd(terminal: JobEvent, endsAt: string): Promise<void> {
    if (endsAt !== after) await say([terminal], endsAt)
    end()
  }

  const isAtOrBeyond = (id: string) => after !== undefined && compareIds(streamId(after), streamId(id)) >= 0

  /** All that is retained was told and the end was not among it, though the run had ended before: the stream lost it. */
  async function tellLostEnd(): Promise<void> {
    const { terminal, finished_at } = await story()
    const endsAt = endOf(finished_at)
    if (!ended && terminal && endsAt) await sayEnd(terminal, endsAt)
  }

  return {
    sink: {
      entry(entry) {
        last = entry.id
        idle = false
        if (told.size > 0 && isTold(entry)) return true
        const more = client.send(frameOf(entry))
        if (entry.ends) end()
        return more
      },
      drained: () => client.drained(),
      gap: ({ at, ends }) => tellStory(at, ends),
      caughtUp: async () => {
        if (hasEnded) await tellLostEnd()
      },
      finished: end,
    },
    wasIdle() {
      const was = idle
      idle = true
      return was
    },
    tellRecord() {
      telling ??= tellStory(last, false).finally(() => (telling = undefined))
      return telling
    },
  }
}

/** The position of an end that only the record knows. */
const endOf = (finishedAt: string | undefined) => (finishedAt ? `${Date.parse(finishedAt)}-0` : undefined)
