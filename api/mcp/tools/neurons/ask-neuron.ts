import { z } from 'zod'
import { jsonValue, line } from '../../../routing/schemas.ts'
import { defineRunTool } from '../../tool.ts'

export const message = z.string().min(1).max(200_000).meta({ description: 'What it is asked or told' })

export const askNeuron = defineRunTool({
  name: 'ask_neuron',
  title: 'Ask a neuron',
  description: 'Sends a message to a neuron in a new thread.',
  route: 'neurons.invoke',
  input: z.strictObject({
    neuron: line().meta({ description: 'Id or slug, with an optional `@version`' }),
    message,
    variables: z.record(z.string(), jsonValue).optional().meta({ description: 'Values for the instructions' }),
  }),
  start: ({ neurons }, { principal, idempotency }, { neuron, message, variables }) =>
    neurons.start(principal, { neuron, messages: [{ role: 'user', content: message }], variables }, idempotency),
})
