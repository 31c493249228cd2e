import type { Scheme } from './scheme.ts'

/** No signature. Anyone who knows the URL may call the hook. */
export const none: Scheme<'none'> = {
  read: () => undefined,
  toKey: () => undefined,
  secretRule: 'must not be set, because the scheme `none` has no signatures',
  findDeliveryId: ({ headers }, _body, { delivery_id_header: name }) =>
    name === undefined ? undefined : headers[name],
}
