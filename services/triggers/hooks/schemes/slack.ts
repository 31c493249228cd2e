import { isJsonObject } from '../../../../domain/shared/json/json.ts'
import {
  decode,
  requireHeader,
  type Scheme,
  splitSignatures,
  TEXT_RULE,
  parseSeconds,
  createTextKey,
} from './scheme.ts'

const TIMESTAMP = 'x-slack-request-timestamp'
const SIGNATURE = 'x-slack-signature'
const PREFIX = 'v0='

/** https://docs.slack.dev/authentication/verifying-requests-from-slack */
export const slack: Scheme<'slack'> = {
  read(request, { tolerance_seconds: toleranceSeconds }) {
    const timestamp = requireHeader(request, TIMESTAMP)
    const signature = requireHeader(request, SIGNATURE)
    return {
      header: SIGNATURE,
      algorithm: 'sha256',
      content: [`v0:${timestamp}:`, request.body],
      signatures: splitSignatures(signature, PREFIX).map(part => decode(part, 'hex')),
      signedAt: { seconds: parseSeconds(timestamp, TIMESTAMP), header: TIMESTAMP, toleranceSeconds },
    }
  },

  toKey: createTextKey,
  secretRule: TEXT_RULE,

  /** Events have an id. Commands and actions are sent only once. */
  findDeliveryId: (_request, body) =>
    isJsonObject(body) && typeof body.event_id === 'string' ? body.event_id : undefined,

  /** Used by interactive messages. */
  jsonField: 'payload',

  /** https://docs.slack.dev/reference/events/url_verification */
  answer(body) {
    if (!isJsonObject(body) || body.type !== 'url_verification' || typeof body.challenge !== 'string') return undefined
    return { challenge: body.challenge }
  },
}
