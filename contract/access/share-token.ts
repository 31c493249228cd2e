import { z } from 'zod'
import { isOrigin } from '../../domain/access/origins.ts'
import { SHARE_RIGHTS, SHARED_TARGETS } from '../../domain/access/share-rights.ts'
import { line } from '../shared/text.ts'
import { moment, timestamp } from '../shared/time.ts'
import { issued, name } from './credential.ts'

const target = z.strictObject({ type: z.enum(SHARED_TARGETS), id: line() })
const rights = z.array(z.enum(SHARE_RIGHTS))
const origin = line().refine(isOrigin, 'must be an origin such as https://www.example.com')
const MAX_ORIGINS = 20
export const shareTokenBody = z.strictObject({
  name,
  target: target.meta({ description: 'Id or slug of a receptor, or id of a thread' }),
  rights: rights.min(1).max(SHARE_RIGHTS.length).optional().meta({ description: 'Default: all' }),
  expires_at: moment.optional().meta({ description: 'Default: 30 days from now' }),
  max_uses: z
    .int()
    .min(1)
    .max(1_000_000_000)
    .optional()
    .meta({ description: 'Maximum number of messages. Default: unlimited.' }),
  allowed_origins: z.array(origin).max(MAX_ORIGINS).optional().meta({
    description: 'Origins of websites whose pages may use the token. Default: none',
  }),
})

export type ShareTokenFields = z.output<typeof shareTokenBody>

export const shareToken = z
  .object({
    id: z.uuid(),
    name: z.string(),
    target: z.object({ type: z.enum(SHARED_TARGETS), id: z.uuid() }),
    rights,
    /** Null: unlimited. */
    max_uses: z.int().nullable(),
    uses: z.int(),
    allowed_origins: z.array(z.string()),
    ...issued,
    expires_at: timestamp.nullable(),
  })
  .meta({ id: 'ShareToken' })

/** A share token without its secret text. */
export type ShareTokenView = z.output<typeof shareToken>

export const createdShareToken = z
  .object({ id: z.uuid(), name: z.string(), share_token: z.string(), expires_at: timestamp })
  .meta({ id: 'CreatedShareToken' })

/** A new share token. `share_token` contains the token's text, which is not shown again. */
export type CreatedShareToken = z.output<typeof createdShareToken>
