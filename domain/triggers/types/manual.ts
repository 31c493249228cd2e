import { z } from 'zod'
import { defineTriggerType } from '../type.ts'

/** Fires when a caller requests it by `POST /v1/triggers/:id/fire`. */
export const manual = defineTriggerType({
  settings: z.strictObject({}),
  isRequired: false,
  event: { input: 'The input of the request', by: 'Who requested it, such as user:ann' },
  defaultInput: '${event.input}',
})
