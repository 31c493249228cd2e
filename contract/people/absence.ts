import { z } from 'zod'
import { line, person } from '../shared/text.ts'
import { moment, timestamp } from '../shared/time.ts'

export const absenceParams = z.object({ actor: line() })

export const absenceBody = z.strictObject({
  substitute: person.meta({ description: 'Who answers meanwhile' }),
  starts_at: moment.optional().meta({ description: 'Now if absent' }),
  ends_at: moment.optional().meta({ description: 'Absent until the end is known' }),
})

/** Who answers while a person is away. Times are ISO 8601. */
export type AbsenceBody = z.output<typeof absenceBody>

export const absenceOfBody = absenceBody.extend({
  actor: person.meta({ description: 'Who is away' }),
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
