import { isJsonObject } from '../../../../domain/shared/json/json.ts'
import { decode, requireHeader, type Scheme, TEXT_RULE, parseSeconds, createTextKey } from './scheme.ts'

const SIGNATURE = 'stripe-signature'

/** https://docs.stripe.com/webhooks#verify-manually. Only the scheme `v1` is accepted. */
export const stripe: Scheme<'stripe'> = {
  read(request, { tolerance_seconds: toleranceSeconds }) {
    const items = requireHeader(request, SIGNATURE)
      .split(',')
      .map(item => item.trim().split('='))
    const timestamp = items.find(([key]) => key === 't')?.[1] ?? ''
    return {
      header: SIGNATURE,
      algorithm: 'sha256',
      content: [`${timestamp}.`, request.body],
      signatures: items.flatMap(([key, value]) => (key === 'v1' && value ? [decode(value, 'hex')] : [])),
      signedAt: { seconds: parseSeconds(timestamp, SIGNATURE), header: SIGNATURE, toleranceSeconds },
    }
  },

  toKey: createTextKey,
  secretRule: TEXT_RULE,

  /** All attempts to deliver an event contain the event's id in the body. */
  findDeliveryId: (_request, body) => (isJsonObject(body) && typeof body.id === 'string' ? body.id : undefined),
}
