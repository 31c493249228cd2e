import * as schemas from '../../../contract/shared/temporal-payload.ts'
import type { PayloadDecoder } from '../../../services/shared/encryption/payload-decoder.ts'
import { allowWriters } from '../../routing/access.ts'
import { ok } from '../../routing/reply.ts'
import { defineRoute } from '../../routing/route.ts'
import type { Route } from '../../routing/route.ts'

/** Routes for the people who operate the installation. */
export function operatorRoutes({ payloadDecoder }: { payloadDecoder: PayloadDecoder }): Route[] {
  const decode = defineRoute({
    name: 'temporal.decode',
    method: 'post',
    path: '/v1/temporal/codec/decode',
    summary: 'Decrypt payloads for Temporal',
    description:
      "Implements Temporal's codec server protocol. Use `/v1/temporal/codec` as the codec endpoint in the Temporal UI and the `temporal` CLI.",
    tag: 'Service',
    access: allowWriters('payloads:decode'),
    effect: 'read',
    // This is Temporal's own protocol, which has no field for a brain.
    isPublished: false,
    body: schemas.payloads,
    responses: { 200: { description: 'The decrypted payloads', schema: schemas.payloads } },
    handler: async ({ principal, body }) => ok({ payloads: await payloadDecoder.decode(principal, body.payloads) }),
  })

  return [decode]
}
