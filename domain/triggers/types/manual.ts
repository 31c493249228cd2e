import { z } from 'zod'
import { defineTriggerType } from '../type.ts'

/** Fires on a request to `POST /v1/triggers/:id/fire`. */
export const manual = defineTriggerType({
  settings: z.strictObject({}),
  isRequired: false,
  event: { input: 'The input of the request', by: 'The caller, such as user:ann' },
  defaultInput: '${event.input}',
})
