import type { Redis } from 'ioredis'
import type { Logger } from 'pino'
import type { JobEventSource } from '../domain/job-event-source.ts'
import { createLiveChannels } from './live-channels.ts'
import { liveChannel, parsePublishedEntry } from './stream-entries.ts'
import { createStreamSubscription, type StreamSubscription } from './stream-subscription.ts'

interface Deps {
  commands: Redis
  /** A connection for `SUBSCRIBE` alone. */
  subscriber: Redis
  log: Logger
}

/** The events of jobs from Redis, for all clients of a process over two connections. */
export function createEventSource({ commands, subscriber, log }: Deps): JobEventSource & { close(): void } {
  const channels = createLiveChannels<StreamSubscription>(subscriber, {
    log,
    onMessage(subscriptions, message) {
      try {
        const entry = parsePublishedEntry(message)
        for (const subscription of subscriptions) subscription.push(entry)
      } catch (err) {
        log.error({ err }, 'delivering a live event failed')
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
    async subscribe(jobId, after) {
      const channel = liveChannel(jobId)
      const close = () => {
        subscription.close()
        channels.leave(channel, subscription)
      }
      const subscription = createStreamSubscription({ commands, jobId, after, onEnd: close, log })
      await channels.join(channel, subscription)
      try {
        await subscription.open()
      } catch (error) {
        close()
        throw error
      }
      return { start: sink => subscription.start(sink), close }
    },
    close: () => channels.close(),
  }
}
