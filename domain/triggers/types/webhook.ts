import { z } from 'zod'
import { defineTriggerType } from '../type.ts'

/** Fires when a request arrives at its URL. */
export const webhook = defineTriggerType({
  settings: z.strictObject({}),
  isRequired: false,
  event: {
    body: 'The body of the request',
    headers: 'Its headers, in lower case',
    delivery_id: 'The id of the delivery',
  },
  defaultInput: '${event.body}',
})
