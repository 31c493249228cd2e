import type { Redis } from 'ioredis'
import type { Logger } from 'pino'
import { createFollower } from './stream-subscription.ts'
import type { Follower, JobSink } from './stream-subscription.ts'
import { publishedEntry, liveChannel } from './job-stream.ts'
import { createLiveChannels } from './live-channels.ts'

export interface JobReader {
  /**
   * Follows a job: what is retained after `after` (all of it when absent), then what happens, each event once and in
   * order, until the terminal event or `stop`. Throws Unavailable when Redis cannot be reached; once it has resolved,
   * nothing that happens is missed, however late `begin` comes.
   */
  follow(jobId: string, after?: string): Promise<Following>
  close(): void
}

export interface Following {
  begin(sink: JobSink): void
  stop(): void
}

interface Deps {
  commands: Redis
  /** A connection of its own: it is used for nothing but `SUBSCRIBE`. */
  subscriber: Redis
  log: Logger
}

/** Reads the streams of jobs for all clients of a process over two connections. */
export function createJobReader({ commands, subscriber, log }: Deps): JobReader {
  const channels = createLiveChannels<Follower>(subscriber, {
    log,
    onMessage(followers, message) {
      try {
        const entry = publishedEntry(message)
        for (const follower of followers) follower.hear(entry)
      } catch (err) {
        log.error({ err }, 'delivering a live event failed')
      }
    },
    onLoss(followers) {
      for (const follower of followers) follower.hold()
    },
    onReturn(followers) {
      for (const follower of followers) follower.resume()
    },
  })

  return {
    async follow(jobId, after) {
      const channel = liveChannel(jobId)
      const stop = () => {
        follower.stop()
        channels.leave(channel, follower)
      }
      const follower = createFollower({ commands, jobId, after, onEnd: stop, log })
      await channels.join(channel, follower)
      try {
        await follower.prepare()
      } catch (error) {
        stop()
        throw error
      }
      return { begin: sink => follower.begin(sink), stop }
    },
    close: () => channels.close(),
  }
}
