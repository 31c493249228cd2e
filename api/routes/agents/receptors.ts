import type { Conversations } from '../../../services/agents/conversations/conversations.ts'
import type { ReceptorsService } from '../../../services/agents/receptors.ts'
import { allowWriters } from '../../routing/access.ts'
import { accepted } from '../../routing/reply.ts'
import { defineRoute, type Route } from '../../routing/route.ts'
import { answerWhenReady } from './answer-when-ready.ts'
import * as schemas from './answer-when-ready.ts'
import { productRoutes } from '../resources/products.ts'
import { receptorInvokeBody, receptorParams } from '../../../contract/agents/receptor.ts'
import { productSchemas } from '../../../contract/resources/product.ts'

interface Deps {
  receptors: ReceptorsService
  conversations: Conversations
}

const tag = 'Receptors'

/** Routes for receptors: stable addresses that route messages to a neuron or a pathway. */
export function receptorRoutes({ receptors, conversations }: Deps): Route[] {
  const invoke = defineRoute({
    name: 'receptors.invoke',
    method: 'post',
    path: '/v1/receptors/:workspace_slug/:slug_or_id/invoke',
    summary: 'Send a message to a receptor',
    description:
      "Returns the answer from the receptor's target. Returns 202 with the job if `stream` is set, if the run takes longer than 25 seconds, or if the run waits for an intervention.",
    tag,
    access: allowWriters('jobs:start'),
    params: receptorParams,
    body: receptorInvokeBody,
    idempotent: true,
    responses: schemas.answered,
    async handler({ principal, params, body, idempotency, ctx }) {
      const { message, files, trace_id, stream, neuron_task_options: options } = body
      const speech = { messages: [{ role: 'user' as const, content: message }], files, trace_id, options }
      const acceptedMessage = await receptors.invoke(principal, params, speech, idempotency)
      return stream ? accepted(acceptedMessage) : answerWhenReady(ctx, principal, acceptedMessage, conversations)
    },
  })

  return [
    ...productRoutes({
      path: '/v1/receptors',
      tag,
      one: 'a receptor',
      many: 'receptors',
      says: { read: { description: 'The field `receptor` contains the receptor.' } },
      service: receptors,
      schemas: { ...productSchemas('receptors', 'Receptor'), wrap: 'receptor' },
    }),
    invoke,
  ]
}
