import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import { readConfig } from '../../../config/config.ts'
import type { JobEvent } from '../../../domain/runs/events.ts'
import { createJobPublisher } from '../../../streams/job-publisher.ts'
import { openCommands } from '../../../streams/redis.ts'
import { obey } from './child.ts'
import { stampedToken } from './stamp.ts'

/** Publishes tokens to the streams in turn, `perSecond` in total. */
export interface Talk {
  side: 'ours' | 'bare'
  ids: string[]
  perSecond: number
  seconds: number
}

const config = readConfig(process.env)
const log = pino({ level: 'warn' })
const redis = openCommands(config.REDIS_URL, log)
const publisher = createJobPublisher(redis, {
  maxLength: config.STREAM_MAX_LENGTH,
  ttlSeconds: config.STREAM_TTL_SECONDS,
  log,
})

const say = {
  ours: (id: string) => publisher.publish(id, token()),
  bare: (id: string) => void redis.publish(id, JSON.stringify(token())),
}

const token = (): JobEvent => ({ type: 'token', token: stampedToken(), node_id: 'say', key: 'say' })

obey(async ({ side, ids, perSecond, seconds }: Talk) => {
  const began = performance.now()
  const total = perSecond * seconds
  for (let published = 0; published < total; await sleep(1)) {
    const due = Math.min(total, ((performance.now() - began) / 1_000) * perSecond)
    for (; published < due; published++) say[side](ids[published % ids.length] ?? '')
  }
})
