import type { ChainableCommander, Redis, Result } from 'ioredis'
import { attemptsKey, liveChannel, streamKey } from './job-stream.ts'

/** Which attempt at which visit of a node speaks. */
export interface Speaker {
  key: string
  attempt: number
}

/** What one append needs. `publisher` and `seq` name the event, so that sending it again writes it once. */
export interface Append {
  jobId: string
  json: string
  publisher: string
  seq: number
  maxLength: number
  ttlSeconds: number
  /** True when it may have been written already, because no answer came the first time. */
  again: boolean
  /** True for the terminal event. */
  ends: boolean
  speaker?: Speaker
}

/**
 * Appends and publishes in one step, so that whoever has read the stream up to an id and hears the channel misses
 * nothing. Nothing is written after the terminal event: a stream ends once. An event sent again is looked for among
 * its publisher's latest entries first. Once a later attempt at a node has spoken, an earlier one, which does not know
 * yet that it was given up, is no longer heard. Answers the id of the entry, or of the latest where none was written.
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

/** Teaches the connection the script; it travels once per connection. */
export function defineAppend(redis: Redis): void {
  redis.defineCommand('ganglionAppend', { numberOfKeys: 2, lua: LUA })
}

/** Adds one append to a pipeline of a connection that went through `defineAppend`. */
export function append(pipeline: ChainableCommander, event: Append): void {
  const { jobId, json, publisher, seq, maxLength, ttlSeconds, again, ends, speaker } = event
  const about = [liveChannel(jobId), json, publisher, seq, maxLength, ttlSeconds, again ? 1 : 0, ends ? 1 : 0]
  pipeline.ganglionAppend(streamKey(jobId), attemptsKey(jobId), ...about, speaker?.key ?? '', speaker?.attempt ?? 1)
}
