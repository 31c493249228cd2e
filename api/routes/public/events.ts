import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { JobEvent } from '../../../domain/jobs.ts'
import { jsonValue } from '../../routing/schemas.ts'

const key = z.string().optional().meta({ description: 'Tells texts apart that are written at the same time' })

/** An event of an answer, as visitors get it. */
export const publicEvent = z
  .discriminatedUnion('type', [
    z.object({ type: z.literal('token'), token: z.string(), key }),
    z.object({ type: z.literal('attempt_reset'), key, attempt: z.int() }),
    z.object({ type: z.literal('gap'), message: z.string() }),
    z.object({ type: z.literal('complete'), result: jsonValue }),
    z.object({ type: z.literal('error'), code: z.literal('RUN_FAILED'), message: z.string() }),
  ])
  .meta({ id: 'PublicEvent' })

type PublicEvent = z.output<typeof publicEvent>

/** Returns an event without the work behind it: no node, host, address or response of another service. */
export const createPresentPublic =
  (jobId: string) =>
  (event: JobEvent): PublicEvent | undefined => {
    if (event.type === 'token')
      return { type: 'token', token: event.token, key: event.key && hashKey(jobId, event.key) }
    if (event.type === 'attempt_reset')
      return { type: 'attempt_reset', key: hashKey(jobId, event.key), attempt: event.attempt }
    if (event.type === 'error') return { type: 'error', code: 'RUN_FAILED', message: `The run ${jobId} failed` }
    return event.type === 'gap' || event.type === 'complete' ? event : undefined
  }

const hashKey = (jobId: string, key: string): string =>
  createHash('sha256').update(`${jobId} ${key}`).digest('base64url').slice(0, 8)
