import type { Scheme } from './scheme.ts'

/** No signature: all who know the address may call it. */
export const none: Scheme<'none'> = {
  read: () => undefined,
  toKey: () => undefined,
  secretRule: 'cannot be set: the scheme `none` has no signatures',
  findDeliveryId: ({ headers }, _body, { delivery_id_header: name }) =>
    name === undefined ? undefined : headers[name],
}
