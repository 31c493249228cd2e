import type { HookRequest } from '../receive.ts'
import { decode, requireHeader, type Scheme, splitSignatures, parseSeconds } from './scheme.ts'

/** Header prefixes. Senders that originally used Svix still send its prefix. */
const PREFIXES = ['webhook', 'svix'] as const
const findPrefix = (headers: HookRequest['headers']) =>
  PREFIXES.find(prefix => headers[`${prefix}-id`] !== undefined) ?? PREFIXES[0]
const SECRET = /^(?:whsec_)?([A-Za-z0-9+/]{32,}={0,2})$/

/** https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md */
export const standardWebhooks: Scheme<'standard_webhooks'> = {
  read(request, { tolerance_seconds: toleranceSeconds }) {
    const prefix = findPrefix(request.headers)
    const [timestampHeader, signatureHeader] = [`${prefix}-timestamp`, `${prefix}-signature`]
    const id = requireHeader(request, `${prefix}-id`)
    const timestamp = requireHeader(request, timestampHeader)
    const signatures = splitSignatures(requireHeader(request, signatureHeader), 'v1,')
    return {
      header: signatureHeader,
      algorithm: 'sha256',
      content: [`${id}.${timestamp}.`, request.body],
      signatures: signatures.map(part => decode(part, 'base64')),
      signedAt: { seconds: parseSeconds(timestamp, timestampHeader), header: timestampHeader, toleranceSeconds },
    }
  },

  toKey(secret) {
    const [, base64] = SECRET.exec(secret) ?? []
    return base64 === undefined ? undefined : Buffer.from(base64, 'base64')
  },
  secretRule: 'must be `whsec_` and at least 24 bytes in base64',

  findDeliveryId: ({ headers }) => headers[`${findPrefix(headers)}-id`],
}
