import { decode, requireHeader, type Scheme, splitSignatures, TEXT_RULE, createTextKey } from './scheme.ts'

const SIGNATURE = 'x-hub-signature-256'
const PREFIX = 'sha256='

/**
 * https://docs.github.com/en/webhooks/using-webhooks/validating-webhook-deliveries. The signature covers neither the
 * time nor the id.
 */
export const github: Scheme<'github'> = {
  read(request) {
    const signature = requireHeader(request, SIGNATURE)
    const signatures = splitSignatures(signature, PREFIX).map(part => decode(part, 'hex'))
    return { header: SIGNATURE, algorithm: 'sha256', content: [request.body], signatures }
  },

  toKey: createTextKey,
  secretRule: TEXT_RULE,

  /** `X-GitHub-Delivery` is not signed, so anyone with a copy of a delivery could change the id. */
  findDeliveryId: () => undefined,

  /** Used by webhooks with the content type `application/x-www-form-urlencoded`. */
  jsonField: 'payload',
}
