import { z } from 'zod'

/** Signature schemes of senders. `none`: messages are unsigned, so only the token in the URL protects the hook. */
export const SIGNATURE_SCHEMES = ['standard_webhooks', 'github', 'stripe', 'slack', 'hmac', 'none'] as const
export type SignatureScheme = (typeof SIGNATURE_SCHEMES)[number]

const MAX_TOLERANCE_SECONDS = 3_600
const DEFAULT_TOLERANCE_SECONDS = 300

/** An HTTP header name (RFC 9110). */
const headerName = z
  .string()
  .max(100)
  .regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/, 'must be an HTTP header name')
  .transform(name => name.toLowerCase())

const tolerance_seconds = z.int().min(30).max(MAX_TOLERANCE_SECONDS).default(DEFAULT_TOLERANCE_SECONDS).meta({
  description: 'Maximum difference between the time of a signed message and the current time, in both directions',
})
const delivery_id_header = headerName
  .optional()
  .meta({ description: 'Header with the delivery id. A repeated delivery starts no run' })
const signed_delivery_id_header = delivery_id_header.meta({
  description:
    'Header with the delivery id. A repeated delivery starts no run. The signature must cover the id: `content` contains `{delivery_id}`',
})

const BODY = '{body}'
const TIMESTAMP = '{timestamp}'
const DELIVERY_ID = '{delivery_id}'

const hmac = z
  .strictObject({
    scheme: z.literal('hmac'),
    header: headerName.meta({ description: 'Header with the signature' }),
    prefix: z.string().max(50).default('').meta({ description: 'Prefix of the signature value, such as `sha256=`' }),
    algorithm: z.enum(['sha256', 'sha512', 'sha1']).default('sha256'),
    encoding: z.enum(['hex', 'base64', 'base64url']).default('hex'),
    timestamp_header: headerName
      .optional()
      .meta({ description: 'Header with the time of the message, in Unix seconds' }),
    content: z.string().max(200).optional().meta({
      description:
        'Signed content: text with `{body}` once, `{timestamp}` and `{delivery_id}`. Default: `{timestamp}.{body}` with `timestamp_header`, otherwise `{body}`',
    }),
    tolerance_seconds,
    delivery_id_header: signed_delivery_id_header,
  })
  .refine(({ content }) => content === undefined || content.split(BODY).length === 2, {
    path: ['content'],
    message: `must contain ${BODY} once`,
  })
  .refine(
    ({ content, timestamp_header }) =>
      (content?.includes(TIMESTAMP) ?? false) === (timestamp_header !== undefined) || content === undefined,
    {
      path: ['content'],
      message: `must contain ${TIMESTAMP} if there is a timestamp_header, and only then`,
    },
  )
  .refine(
    ({ content, delivery_id_header }) =>
      (content?.includes(DELIVERY_ID) ?? false) === (delivery_id_header !== undefined),
    {
      path: ['content'],
      message: `must contain ${DELIVERY_ID} if there is a delivery_id_header, and only then: the signature must cover it`,
    },
  )

const timed = <S extends SignatureScheme>(scheme: S) => z.strictObject({ scheme: z.literal(scheme), tolerance_seconds })

/** Signature verification settings, by scheme. */
export const signatureSettings = z.discriminatedUnion('scheme', [
  timed('standard_webhooks'),
  z.strictObject({ scheme: z.literal('github') }),
  timed('stripe'),
  timed('slack'),
  hmac,
  z.strictObject({ scheme: z.literal('none'), delivery_id_header }),
])

export type SignatureSettings = z.output<typeof signatureSettings>
export type SettingsOf<S extends SignatureScheme> = Extract<SignatureSettings, { scheme: S }>

/** Splits the content signed with plain HMAC into the parts before and after the body, with time and id inserted. */
export function splitContent(
  { content, timestamp_header }: SettingsOf<'hmac'>,
  timestamp: string,
  deliveryId: string,
): [string, string] {
  const template = content ?? (timestamp_header === undefined ? BODY : `${TIMESTAMP}.${BODY}`)
  const values: Record<string, string> = { [TIMESTAMP]: timestamp, [DELIVERY_ID]: deliveryId }
  const fill = (part: string) => part.replaceAll(/\{timestamp\}|\{delivery_id\}/g, name => values[name] ?? '')
  const [before = '', after = ''] = template.split(BODY).map(fill)
  return [before, after]
}
