import { z } from 'zod'
import type { EncodedPayload } from '../../../../services/shared/encryption/payload-decoder.ts'

const MAX_PAYLOADS = 1_000

const payload = z
  .looseObject({ metadata: z.record(z.string().max(200), z.base64()).optional(), data: z.base64().optional() })
  .meta({ id: 'TemporalPayload' }) satisfies z.ZodType<EncodedPayload>

export const payloads = z
  .strictObject({ payloads: z.array(payload).max(MAX_PAYLOADS) })
  .meta({ id: 'TemporalPayloads' })
