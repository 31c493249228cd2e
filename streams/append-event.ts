import type { ChainableCommander, Redis, Result } from 'ioredis'
import { attemptsKey, liveChannel, streamKey } from './stream-entries.ts'

/** Identifies a node attempt. */
export interface NodeAttempt {
  key: string
  attempt: number
}

/** An event to append. `publisher` and `seq` identify it, so that a retry appends the event only once. */
export interface Append {
  jobId: string
  json: string
  publisher: string
  seq: number
  maxLength: number
  ttlSeconds: number
  /** True when an earlier attempt to append the event got no reply. */
  isRetry: boolean
  /** True for the terminal event. */
  ends: boolean
  node?: NodeAttempt
  /** A name for an event that several publishers may append. The stream gets only one event with this name. */
  once?: string
}

/**
 * Appends and publishes an event in one step, so that a reader of both the stream and the channel misses no event.
 * Returns the entry id. Appends nothing after the terminal event, if the event is already stored, or if a later attempt
 * at the same node has published. It then returns the latest entry id.
 */
const LUA = `
local key, attempts, channel, json, publisher, seq = KEYS[1], KEYS[2], ARGV[1], ARGV[2], ARGV[3], tonumber(ARGV[4])
local last = redis.call('XREVRANGE', key, '+', '-', 'COUNT', 1)[1]
if last and last[2][7] then return last[1] end
if ARGV[9] ~= '' then
  local latest, attempt = tonumber(redis.call('HGET', attempts, ARGV[9]) or 1), tonumber(ARGV[10])
  if attempt < latest then return last and last[1] or '' end
  if attempt > latest then
    redis.call('HSET', attempts, ARGV[9], attempt)
    redis.call('EXPIRE', attempts, ARGV[6])
  end
end
if ARGV[11] ~= '' then
  if redis.call('HSETNX', attempts, ARGV[11], 0) == 0 then return last and last[1] or '' end
  redis.call('EXPIRE', attempts, ARGV[6])
end
if ARGV[7] == '1' then
  for _, entry in ipairs(redis.call('XREVRANGE', key, '+', '-', 'COUNT', 1000)) do
    if entry[2][4] == publisher then
      if tonumber(entry[2][6]) >= seq then return entry[1] end
      break
    end
  end
end
local fields = {'e', json, 'p', publisher, 's', ARGV[4]}
if ARGV[8] == '1' then
  fields[7] = 'end' fields[8] = '1'
  redis.call('DEL', attempts)
end
local id = redis.call('XADD', key, 'MAXLEN', '~', ARGV[5], '*', unpack(fields))
redis.call('EXPIRE', key, ARGV[6])
redis.call('PUBLISH', channel, id .. ' ' .. json)
return id
`

declare module 'ioredis' {
  interface RedisCommander<Context> {
    ganglionAppend(...args: [key: string, attempts: string, ...values: (string | number)[]]): Result<string, Context>
  }
}

/** Defines the script as a command. The script is sent once per connection. */
export function defineAppend(redis: Redis): void {
  redis.defineCommand('ganglionAppend', { numberOfKeys: 2, lua: LUA })
}

/** Adds an append command to a pipeline. The connection must be prepared with `defineAppend`. */
export function append(pipeline: ChainableCommander, event: Append): void {
  const { jobId, json, publisher, seq, maxLength, ttlSeconds, isRetry, ends, node, once = '' } = event
  const args = [liveChannel(jobId), json, publisher, seq, maxLength, ttlSeconds, isRetry ? 1 : 0, ends ? 1 : 0]
  pipeline.ganglionAppend(streamKey(jobId), attemptsKey(jobId), ...args, node?.key ?? '', node?.attempt ?? 1, once)
}
