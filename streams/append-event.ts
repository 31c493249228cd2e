import type { ChainableCommander, Redis, Result } from 'ioredis'
import { liveChannel, streamKey } from './job-stream.ts'

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
}

/**
 * Appends and publishes in one step, so that whoever has read the stream up to an id and hears the channel misses
 * nothing. Nothing is written after the terminal event: a stream ends once. An event sent again is looked for among
 * its publisher's latest entries first. Answers the id of the entry.
 */
const LUA = `
local key, channel, json, publisher, seq = KEYS[1], ARGV[1], ARGV[2], ARGV[3], tonumber(ARGV[4])
local last = redis.call('XREVRANGE', key, '+', '-', 'COUNT', 1)[1]
if last and last[2][7] then return last[1] end
if ARGV[7] == '1' then
  for _, entry in ipairs(redis.call('XREVRANGE', key, '+', '-', 'COUNT', 1000)) do
    if entry[2][4] == publisher then
      if tonumber(entry[2][6]) >= seq then return entry[1] end
      break
    end
  end
end
local fields = {'e', json, 'p', publisher, 's', ARGV[4]}
if ARGV[8] == '1' then fields[7] = 'end' fields[8] = '1' end
local id = redis.call('XADD', key, 'MAXLEN', '~', ARGV[5], '*', unpack(fields))
redis.call('EXPIRE', key, ARGV[6])
redis.call('PUBLISH', channel, id .. ' ' .. json)
return id
`

declare module 'ioredis' {
  interface RedisCommander<Context> {
    ganglionAppend(...args: [key: string, ...values: (string | number)[]]): Result<string, Context>
  }
}

/** Teaches the connection the script; it travels once per connection. */
export function defineAppend(redis: Redis): void {
  redis.defineCommand('ganglionAppend', { numberOfKeys: 1, lua: LUA })
}

/** Adds one append to a pipeline of a connection that went through `defineAppend`. */
export function append(pipeline: ChainableCommander, event: Append): void {
  const { jobId, json, publisher, seq, maxLength, ttlSeconds, again, ends } = event
  const flags = [again ? 1 : 0, ends ? 1 : 0]
  pipeline.ganglionAppend(streamKey(jobId), liveChannel(jobId), json, publisher, seq, maxLength, ttlSeconds, ...flags)
}
