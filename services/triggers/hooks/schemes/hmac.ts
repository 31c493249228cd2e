import { splitContent } from '../../../../domain/triggers/hooks/signature.ts'
import {
  decode,
  requireHeader,
  type Scheme,
  splitSignatures,
  TEXT_RULE,
  parseSeconds,
  createTextKey,
} from './scheme.ts'

/** A plain HMAC, as configured in the settings. */
export const hmac: Scheme<'hmac'> = {
  read(request, settings) {
    const { header, prefix, algorithm, encoding, timestamp_header, delivery_id_header } = settings
    const toleranceSeconds = settings.tolerance_seconds
    const signature = requireHeader(request, header)
    const timestamp = timestamp_header === undefined ? '' : requireHeader(request, timestamp_header)
    const deliveryId = delivery_id_header === undefined ? '' : requireHeader(request, delivery_id_header)
    const [before, after] = splitContent(settings, timestamp, deliveryId)
    return {
      header,
      algorithm,
      content: [before, request.body, after],
      signatures: splitSignatures(signature, prefix).map(part => decode(part, encoding)),
      ...(timestamp_header !== undefined && {
        signedAt: { seconds: parseSeconds(timestamp, timestamp_header), header: timestamp_header, toleranceSeconds },
      }),
    }
  },

  toKey: createTextKey,
  secretRule: TEXT_RULE,

  /** The id is part of the signed content. */
  findDeliveryId: ({ headers }, _body, { delivery_id_header: name }) =>
    name === undefined ? undefined : headers[name],
}
