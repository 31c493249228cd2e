import type { Redis, Result } from 'ioredis'
import type { WorkspaceEvent } from '../domain/webhooks/events.ts'
import { Unavailable } from '../domain/shared/errors.ts'
import { orUnavailable } from './redis.ts'
import { workspaceStream } from './stream-entries.ts'
import { toStorableJson } from '../domain/shared/json/storable.ts'

/** Appends workspace events to their streams, in order. Skips events that were already appended. */
export type PublishEvents = (events: { workspace_id: string; event: WorkspaceEvent }[]) => Promise<void>

interface Options {
  /** Approximate maximum number of entries in a stream. */
  maxLength: number
  /** How long a stream is kept after its latest event, in seconds. */
  ttlSeconds: number
}

/** Number of event ids kept to detect repeated events. It exceeds the size of one outbox batch. */
const KNOWN_EVENTS = 1_000

const LUA = `
if redis.call('ZADD', KEYS[2], 'NX', ARGV[7], ARGV[2]) == 0 then return '' end
redis.call('ZREMRANGEBYRANK', KEYS[2], 0, -1 - ARGV[6])
redis.call('EXPIRE', KEYS[2], ARGV[5])
local id = redis.call('XADD', KEYS[1], 'MAXLEN', '~', ARGV[4], '*', 'e', ARGV[3])
redis.call('EXPIRE', KEYS[1], ARGV[5])
redis.call('PUBLISH', ARGV[1], id .. ' ' .. ARGV[3])
return id
`

declare module 'ioredis' {
  interface RedisCommander<Context> {
    ganglionPublish(...args: [key: string, known: string, ...values: (string | number)[]]): Result<string, Context>
  }
}

/** Creates the publisher, which throws Unavailable unless Redis confirms all events. */
export function createEventPublisher(redis: Redis, { maxLength, ttlSeconds }: Options): PublishEvents {
  redis.defineCommand('ganglionPublish', { numberOfKeys: 2, lua: LUA })
  return async events => {
    const pipeline = redis.pipeline()
    const now = Date.now()
    for (const { workspace_id, event } of events) {
      const { key, channel } = workspaceStream(workspace_id)
      const args = [channel, event.id, toStorableJson(event), maxLength, ttlSeconds, KNOWN_EVENTS, now]
      pipeline.ganglionPublish(key, `${key}:published`, ...args)
    }
    const replies = await orUnavailable(pipeline.exec())
    const failed = replies?.find(([error]) => error)
    if (!replies || failed) throw new Unavailable('The events could not be published', { cause: failed?.[0] })
  }
}
