import { splitContent } from '../../../domain/hooks/signature.ts'
import { decode, requireHeader, type Scheme, TEXT_RULE, toSeconds, toTextKey } from './scheme.ts'

/** A plain HMAC, as the settings describe it. */
export const hmac: Scheme<'hmac'> = {
  read(request, settings) {
    const { header, prefix, algorithm, encoding, timestamp_header, tolerance_seconds: toleranceSeconds } = settings
    const signature = requireHeader(request, header)
    const timestamp = timestamp_header === undefined ? '' : requireHeader(request, timestamp_header)
    const [before, after] = splitContent(settings, timestamp)
    return {
      header,
      algorithm,
      content: [before, request.body, after],
      signatures: signature.startsWith(prefix) ? [decode(signature.slice(prefix.length), encoding)] : [],
      ...(timestamp_header !== undefined && {
        signedAt: { seconds: toSeconds(timestamp, timestamp_header), header: timestamp_header, toleranceSeconds },
      }),
    }
  },

  toKey: toTextKey,
  secretRule: TEXT_RULE,

  findDeliveryId: ({ headers }, _body, { delivery_id_header: name }) =>
    name === undefined ? undefined : headers[name],
}
