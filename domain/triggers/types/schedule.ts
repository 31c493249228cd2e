import { z } from 'zod'
import { shortText } from '../../resources/fields.ts'
import { defineTriggerType } from '../type.ts'

/** Fires at times, which Temporal Schedules keep. */
export const schedule = defineTriggerType({
  settings: z.strictObject({ cron: shortText, time_zone: shortText.default('UTC') }),
  isRequired: true,
  event: { scheduled_at: 'The time of the schedule (ISO 8601), which a late start does not change' },
  defaultInput: {},
})
