import { z } from 'zod'
import { FIRING_DECISIONS } from '../../domain/triggers/firing.ts'
import { SIGNATURE_SCHEMES } from '../../domain/triggers/hooks/signature.ts'
import { jsonValue } from '../shared/json.ts'
import { line } from '../shared/text.ts'
import { timestamp } from '../shared/time.ts'

const MAX_OVERLAP_HOURS = 168

const overlap = (what: string) =>
  z
    .number()
    .min(0)
    .max(MAX_OVERLAP_HOURS)
    .default(24)
    .meta({ description: `How long the present ${what} stays valid beside the new one` })

export const rotateTokenBody = z.strictObject({ overlap_hours: overlap('token') })

export const rotateSecretBody = z.strictObject({
  secret: line(500).optional().meta({
    description: 'The secret of the sender. Required for `stripe` and `slack`. Default: one that is made now',
  }),
  overlap_hours: overlap('secret'),
})

const shown = {
  trigger_id: z.uuid(),
  signature: z.enum(SIGNATURE_SCHEMES).meta({ description: '`none`: only the token protects the hook' }),
  tokens: z
    .array(
      z.object({
        prefix: z.string().meta({ description: 'The part of the token that may be shown' }),
        created_at: timestamp,
        created_by: z.string().nullable(),
        expires_at: timestamp.nullable().meta({ description: 'Set once the token has been replaced' }),
        /** To the minute. */
        last_used_at: timestamp.nullable(),
      }),
    )
    .meta({ description: 'The valid tokens, latest first' }),
  has_secret: z.boolean().meta({ description: 'Whether signatures can be checked; without a secret none is accepted' }),
  secret_updated_at: timestamp.nullable(),
  previous_secret_until: timestamp
    .nullable()
    .meta({ description: 'Until when signatures of the secret before the rotation are accepted, too' }),
}

export const hook = z.object(shown).meta({ id: 'Hook' })

/** The address of a webhook trigger, without its secret parts. */
export type HookView = z.output<typeof hook>

export const hookToken = z
  .object({
    ...shown,
    token: z.string().meta({ description: 'Shown only here', example: 'gnh_…' }),
    url: z.string().meta({ description: 'What senders call. A path if the service does not know its own address' }),
  })
  .meta({ id: 'HookToken' })

/** A new token, which is shown once. */
export type IssuedHookToken = z.output<typeof hookToken>

export const hookSecret = z
  .object({
    ...shown,
    secret: z.string().nullable().meta({ description: 'The generated secret, shown only here. Null if you sent one.' }),
  })
  .meta({ id: 'HookSecret' })

/** A new secret. `secret` is shown once, and only if the service has made it. */
export type IssuedHookSecret = z.output<typeof hookSecret>

const decision = z.enum(FIRING_DECISIONS)
const firing_id = z.uuid().meta({ description: 'The row of `GET /v1/triggers/{id}/runs`' })

export const hookAccepted = z
  .object({ job_id: z.string(), firing_id, decision, status: z.string() })
  .meta({ id: 'HookAccepted' })

export const hookAnswer = z
  .union([
    z
      .object({ job_id: z.string(), firing_id, status: z.literal('completed'), result: jsonValue })
      .meta({ id: 'HookResult' }),
    z
      .object({
        firing_id,
        decision,
        job_id: z.string().nullable().meta({ description: 'Always null: no run started' }),
      })
      .meta({ id: 'HookDecision' }),
    z.object({ challenge: z.string() }).meta({ id: 'HookChallenge' }),
  ])
  .meta({ id: 'HookAnswer' })
