import { z } from 'zod'
import { defineRunTool } from '../../tool.ts'
import { message } from './ask-neuron.ts'

export const continueConversation = defineRunTool({
  name: 'continue_conversation',
  title: 'Continue a conversation',
  description: 'Sends a message to a thread, which its neuron or pathway answers with what was said before.',
  route: 'chat.send',
  input: z.strictObject({ trace_id: z.uuid().meta({ description: 'The thread, from ask_neuron' }), message }),
  start: ({ chat }, { principal, idempotency }, { trace_id, message }) =>
    chat(principal, trace_id, { message }, idempotency),
})
