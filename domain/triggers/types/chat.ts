import { z } from 'zod'
import { defineTriggerType } from '../type.ts'

/** Fires when a message of a thread matches. */
export const chat = defineTriggerType({
  settings: z.strictObject({}),
  isRequired: false,
  event: { message: 'The text of the message', trace_id: 'The thread' },
  defaultInput: { message: '${event.message}' },
})
