import { z } from 'zod'
import { FIRING_DECISIONS } from '../../domain/triggers/firing.ts'
import { SIGNATURE_SCHEMES } from '../../domain/triggers/hooks/signature.ts'
import { jsonValue } from '../shared/json.ts'
import { line } from '../shared/text.ts'
import { timestamp } from '../shared/time.ts'

const MAX_OVERLAP_HOURS = 168

const overlap = (subject: string) =>
  z
    .number()
    .min(0)
    .max(MAX_OVERLAP_HOURS)
    .default(24)
    .meta({ description: `Hours for which the current ${subject} remains valid alongside the new one` })

export const rotateTokenBody = z.strictObject({ overlap_hours: overlap('token') })

export const rotateSecretBody = z.strictObject({
  secret: line(500).optional().meta({
    description: 'Secret that the sender uses. Required for `stripe` and `slack`. Default: a generated secret.',
  }),
  overlap_hours: overlap('secret'),
})

const commonFields = {
  trigger_id: z.uuid(),
  signature: z
    .enum(SIGNATURE_SCHEMES)
    .meta({ description: '`none`: the webhook address is protected only by its token' }),
  tokens: z
    .array(
      z.object({
        prefix: z.string().meta({ description: 'Public part of the token' }),
        created_at: timestamp,
        created_by: z.string().nullable(),
        expires_at: timestamp.nullable().meta({ description: 'Present once the token has been replaced' }),
        /** Accurate to the minute. */
        last_used_at: timestamp.nullable(),
      }),
    )
    .meta({ description: 'Valid tokens, latest first' }),
  has_secret: z
    .boolean()
    .meta({ description: 'Whether a secret is set. Without a secret, requests that need a signature are rejected.' }),
  secret_updated_at: timestamp.nullable(),
  previous_secret_until: timestamp
    .nullable()
    .meta({ description: 'Time until which signatures made with the previous secret are accepted' }),
}

export const hook = z.object(commonFields).meta({ id: 'Hook' })

/** The address of a webhook trigger, without secrets. */
export type HookView = z.output<typeof hook>

export const hookToken = z
  .object({
    ...commonFields,
    token: z.string().meta({ description: 'Token, shown only once', example: 'gnh_…' }),
    url: z.string().meta({
      description: "URL that senders call. Contains only the path if the service doesn't know its own address.",
    }),
  })
  .meta({ id: 'HookToken' })

/** A new token, which is shown only once. */
export type IssuedHookToken = z.output<typeof hookToken>

export const hookSecret = z
  .object({
    ...commonFields,
    secret: z
      .string()
      .nullable()
      .meta({ description: 'Generated secret, shown only once. Null if you supplied your own.' }),
  })
  .meta({ id: 'HookSecret' })

/** A new secret. `secret` is present once, and only if the service generated it. */
export type IssuedHookSecret = z.output<typeof hookSecret>

const decision = z.enum(FIRING_DECISIONS)
const firing_id = z.uuid().meta({ description: 'Matching entry of `GET /v1/triggers/{id}/runs`' })

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
        job_id: z.string().nullable().meta({ description: 'Always null, because no run has started' }),
      })
      .meta({ id: 'HookDecision' }),
    z.object({ challenge: z.string() }).meta({ id: 'HookChallenge' }),
  ])
  .meta({ id: 'HookAnswer' })
