import { z } from 'zod'

const MAX_PAYLOADS = 1_000

const payload = z
  .looseObject({ metadata: z.record(z.string().max(200), z.base64()).optional(), data: z.base64().optional() })
  .meta({ id: 'TemporalPayload' })

/** A payload in the Temporal UI's format: bytes in Base64. */
export type EncodedPayload = z.output<typeof payload>

export const payloads = z
  .strictObject({ payloads: z.array(payload).max(MAX_PAYLOADS) })
  .meta({ id: 'TemporalPayloads' })
