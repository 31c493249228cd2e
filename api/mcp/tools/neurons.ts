import { z } from 'zod'
import { READS, defineRunTool, defineTool } from './tool.ts'
import { page, total } from './page.ts'
import { jsonValue } from '../../../contract/shared/json.ts'
import { line } from '../../../contract/shared/text.ts'

const text = (value: unknown): string | null => (typeof value === 'string' ? value : null)

export const listNeurons = defineTool({
  name: 'list_neurons',
  title: 'List neurons',
  description: 'Lists the neurons (agents that answer messages). Use ask_neuron to ask one.',
  route: 'neurons.list',
  hints: READS,
  input: z.strictObject(page),
  output: z.object({
    neurons: z.array(
      z.object({
        id: z.string(),
        slug: z.string(),
        title: z.string(),
        description: z.string().nullable(),
        model: z.string().nullable(),
      }),
    ),
    total,
  }),
  async call({ neurons }, { principal }, page) {
    const result = await neurons.list(principal, { ...page, is_active: true })
    const items = result.data.map(one => ({ ...one, description: text(one.description), model: text(one.model) }))
    return { neurons: items, total: result.total }
  },
})

const message = z.string().min(1).max(200_000).meta({ description: 'Question or message for the neuron' })

export const askNeuron = defineRunTool({
  name: 'ask_neuron',
  title: 'Ask a neuron',
  description: 'Sends a message to a neuron in a new thread.',
  route: 'neurons.invoke',
  input: z.strictObject({
    neuron: line().meta({ description: 'Id or slug, with an optional `@version`' }),
    message,
    variables: z
      .record(z.string(), jsonValue)
      .optional()
      .meta({ description: 'Values of the variables in the instructions' }),
  }),
  start: ({ neurons }, { principal, idempotency }, { neuron, message, variables }) =>
    neurons.start(principal, { neuron, messages: [{ role: 'user', content: message }], variables }, idempotency),
})

export const continueConversation = defineRunTool({
  name: 'continue_conversation',
  title: 'Continue a conversation',
  description: 'Sends a message to a thread. Its neuron or pathway answers with the earlier messages as context.',
  route: 'chat.send',
  input: z.strictObject({ trace_id: z.uuid().meta({ description: 'Thread id returned by ask_neuron' }), message }),
  start: ({ chat }, { principal, idempotency }, { trace_id, message }) =>
    chat(principal, trace_id, { message }, idempotency),
})
