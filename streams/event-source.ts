import type { Redis } from 'ioredis'
import type { Logger } from 'pino'
import type {
  JobEventSource,
  JobSubscription,
  StreamEntry,
  Subscription,
  WorkspaceEventSource,
} from '../domain/runs/job-event-source.ts'
import { parseStreamId } from '../domain/shared/stream-id.ts'
import { createLiveChannels } from './live-channels.ts'
import { type EventStream, jobStream, parsePublishedEntry, workspaceStream } from './stream-entries.ts'
import { getRangeEnd, readRange } from './stream-pages.ts'
import { createStreamSubscription, type StreamSubscription } from './stream-subscription.ts'

interface Deps {
  commands: Redis
  /** A connection that is used only for `SUBSCRIBE`. */
  subscriber: Redis
  /** Called with the milliseconds between the append of a live event and its delivery. */
  observeLag?: (ms: number) => void
  log: Logger
}

interface Closable {
  close(): void
}

/** Creates a source of job events from Redis. It serves all clients of a process over two connections. */
export const createEventSource = (deps: Deps): JobEventSource & Closable => createStreamSource(deps, jobStream)

/** Creates a source of workspace events over the same connections. */
export const createWorkspaceEventSource = (deps: Deps): WorkspaceEventSource & Closable =>
  createStreamSource(deps, workspaceStream)

interface StreamSource<E extends StreamEntry> extends Closable {
  subscribe(id: string, after?: string): Promise<Subscription<E> & Pick<JobSubscription, 'end'>>
  readPosition(id: string): Promise<string>
}

function createStreamSource<E extends StreamEntry>(
  { commands, subscriber, observeLag, log }: Deps,
  toStream: (id: string) => EventStream<E>,
): StreamSource<E> {
  const channels = createLiveChannels<StreamSubscription<E>>(subscriber, {
    log,
    onMessage(subscriptions, message) {
      try {
        const [first] = subscriptions
        if (!first) return
        const entry = parsePublishedEntry(first.stream, message)
        observeLag?.(Date.now() - parseStreamId(entry.id).ms)
        for (const subscription of subscriptions) subscription.push(entry)
      } catch (err) {
        log.error({ err }, 'failed to deliver a live event')
      }
    },
    onDisconnect(subscriptions) {
      for (const subscription of subscriptions) subscription.pause()
    },
    onResubscribe(subscriptions) {
      for (const subscription of subscriptions) subscription.resume()
    },
  })

  return {
    async subscribe(id, after) {
      const stream = toStream(id)
      const close = () => {
        subscription.close()
        channels.leave(stream.channel, subscription)
      }
      const subscription = createStreamSubscription({ commands, stream, after, onEnd: close, log })
      await channels.join(stream.channel, subscription)
      try {
        await subscription.open()
      } catch (error) {
        close()
        throw error
      }
      return { start: sink => subscription.start(sink), close, end: subscription.findEnd() }
    },
    readPosition: async id => getRangeEnd(await readRange(commands, toStream(id))),
    close: () => channels.close(),
  }
}
