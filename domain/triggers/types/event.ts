import { z } from 'zod'
import { shortText } from '../../resources/fields.ts'
import { defineTriggerType } from '../type.ts'

/** Fires when something happens in the workspace. */
export const event = defineTriggerType({
  settings: z.strictObject({ types: z.array(shortText).min(1).max(20) }),
  isRequired: true,
  event: { event: 'The event, as the event stream has it' },
  defaultInput: {},
})
