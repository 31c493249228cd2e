import { z } from 'zod'
import { line, person } from '../shared/text.ts'
import { moment, timestamp } from '../shared/time.ts'

export const absenceParams = z.object({ actor: line() })

export const absenceBody = z.strictObject({
  substitute: person.meta({ description: 'Substitute who answers tasks during the absence' }),
  starts_at: moment.optional().meta({ description: 'Start of the absence. Default: now.' }),
  ends_at: moment.optional().meta({ description: 'End of the absence. Omit it if the end is not known yet.' }),
})

/** An absence with its substitute. Times are ISO 8601. */
export type AbsenceBody = z.output<typeof absenceBody>

export const absenceOfBody = absenceBody.extend({
  actor: person.meta({ description: 'Person who is away' }),
})

export const absenceView = z
  .object({
    actor: z.string(),
    substitute: z.string(),
    starts_at: timestamp,
    ends_at: timestamp.nullable(),
    updated_by: z.string(),
    updated_at: timestamp,
  })
  .meta({ id: 'Absence' })
export type AbsenceView = z.output<typeof absenceView>

export const absenceList = z.object({ data: z.array(absenceView) }).meta({ id: 'AbsenceList' })
