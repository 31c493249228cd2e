import { z } from 'zod'
import { timestamp } from '../shared/time.ts'
import { channelParams, MAX_URL_CHARS } from './channel.ts'

/** A `PushSubscription` of the Push API as JSON. */
export const pushSubscriptionBody = z.strictObject({
  endpoint: z
    .url({ protocol: /^https$/ })
    .max(MAX_URL_CHARS)
    .meta({ description: 'URL of the push service. Never returned in a response.', writeOnly: true }),
  expirationTime: z.number().nullish().meta({ description: 'Ignored' }),
  keys: z.strictObject({
    p256dh: z
      .string()
      .regex(/^B[\w-]{86}$/, 'must be a P-256 public key in base64url')
      .meta({ writeOnly: true }),
    auth: z
      .string()
      .regex(/^[\w-]{22}$/, 'must be 16 bytes in base64url')
      .meta({ writeOnly: true }),
  }),
})
export type PushSubscriptionFields = Pick<z.output<typeof pushSubscriptionBody>, 'endpoint' | 'keys'>

export const pushSubscriptionParams = channelParams.extend({
  id: z
    .string()
    .regex(/^[0-9a-f]{64}$/, 'must be a SHA-256 in hexadecimal digits')
    .meta({ description: 'SHA-256 (hex) of the endpoint' }),
})

export const pushSubscription = z
  .object({ id: z.string().meta({ description: 'SHA-256 (hex) of the endpoint' }), created_at: timestamp })
  .meta({ id: 'PushSubscription' })
export type PushSubscriptionView = z.output<typeof pushSubscription>
