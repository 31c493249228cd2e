import { decode, requireHeader, type Scheme, toSeconds } from './scheme.ts'

const ID = 'webhook-id'
const TIMESTAMP = 'webhook-timestamp'
const SIGNATURE = 'webhook-signature'
const SECRET = /^(?:whsec_)?([A-Za-z0-9+/]{32,}={0,2})$/

/** https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md */
export const standardWebhooks: Scheme<'standard_webhooks'> = {
  read(request, { tolerance_seconds: toleranceSeconds }) {
    const [id, timestamp, signature] = [ID, TIMESTAMP, SIGNATURE].map(name => requireHeader(request, name))
    const signatures = (signature ?? '').split(' ').flatMap(one => {
      const [version, text] = one.split(',')
      return version === 'v1' && text ? [decode(text, 'base64')] : []
    })
    return {
      header: SIGNATURE,
      algorithm: 'sha256',
      content: [`${id}.${timestamp}.`, request.body],
      signatures,
      signedAt: { seconds: toSeconds(timestamp ?? '', TIMESTAMP), header: TIMESTAMP, toleranceSeconds },
    }
  },

  toKey(secret) {
    const [, base64] = SECRET.exec(secret) ?? []
    return base64 === undefined ? undefined : Buffer.from(base64, 'base64')
  },
  secretRule: 'must be `whsec_` and at least 24 bytes in base64',

  findDeliveryId: ({ headers }) => headers[ID],
}
