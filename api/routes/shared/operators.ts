import * as schemas from '../../../contract/shared/temporal-payload.ts'
import type { PayloadDecoder } from '../../../services/shared/encryption/payload-decoder.ts'
import { allowWriters } from '../../routing/access.ts'
import { ok } from '../../routing/reply.ts'
import { defineRoute } from '../../routing/route.ts'
import type { Route } from '../../routing/route.ts'

/** What those who operate the installation need beside the API. */
export function operatorRoutes({ payloadDecoder }: { payloadDecoder: PayloadDecoder }): Route[] {
  const decode = defineRoute({
    name: 'temporal.decode',
    method: 'post',
    path: '/v1/temporal/codec/decode',
    summary: 'Decrypt payloads for the Temporal UI and CLI',
    description:
      'The protocol of a codec server: the codec endpoint of the UI and of the `temporal` CLI is `/v1/temporal/codec`.',
    tag: 'Service',
    access: allowWriters('payloads:decode'),
    effect: 'read',
    // The protocol is that of Temporal, which has no field for a brain.
    isPublished: false,
    body: schemas.payloads,
    responses: { 200: { description: 'The decrypted payloads', schema: schemas.payloads } },
    handler: async ({ principal, body }) => ok({ payloads: await payloadDecoder.decode(principal, body.payloads) }),
  })

  return [decode]
}
