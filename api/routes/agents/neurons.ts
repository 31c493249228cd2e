import type { Conversations } from '../../../services/agents/conversations/conversations.ts'
import type { NeuronsService } from '../../../services/agents/neurons/neurons.ts'
import { allowWriters } from '../../routing/access.ts'
import { accepted } from '../../routing/reply.ts'
import { defineRoute, type Route } from '../../routing/route.ts'
import { answerWhenReady, answered } from './answer-when-ready.ts'
import { productRoutes } from '../resources/products.ts'
import { neuronInvokeBody } from '../../../contract/agents/conversation.ts'
import { productParams as params, productSchemas } from '../../../contract/resources/product.ts'

interface Deps {
  neurons: NeuronsService
  conversations: Conversations
}

const tag = 'Neurons'

/** Routes for neurons: stored, versioned agents that you can invoke. */
export function neuronRoutes({ neurons, conversations }: Deps): Route[] {
  const invoke = defineRoute({
    name: 'neurons.invoke',
    method: 'post',
    path: '/v1/neurons/:id/invoke',
    summary: 'Invoke a neuron',
    description:
      'Returns the answer. Returns 202 with the job if `stream` is set, if the run takes longer than 25 seconds, or if the run waits for an intervention. `id` may contain a version: `helper@3`.',
    tag,
    access: allowWriters('jobs:start'),
    params,
    body: neuronInvokeBody,
    idempotent: true,
    responses: answered,
    async handler({ principal, params, body, idempotency, ctx }) {
      const { message, messages, files, variables, trace_id, stream, neuron_task_options: options } = body
      const conversation = messages ?? [{ role: 'user' as const, content: message ?? '' }]
      const call = { neuron: params.id, messages: conversation, files, variables, trace_id, options }
      const acceptedMessage = await neurons.start(principal, call, idempotency)
      return stream ? accepted(acceptedMessage) : answerWhenReady(ctx, principal, acceptedMessage, conversations)
    },
  })

  return [
    ...productRoutes({
      path: '/v1/neurons',
      tag,
      one: 'a neuron',
      many: 'neurons',
      service: neurons,
      schemas: productSchemas('neurons', 'Neuron'),
    }),
    invoke,
  ]
}
