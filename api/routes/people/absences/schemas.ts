import { z } from 'zod'
import type { AbsenceRecord } from '../../../../services/people/absences.ts'
import { line, person } from '../../../../contract/shared/text.ts'
import { moment, timestamp } from '../../../../contract/shared/time.ts'

export const absenceParams = z.object({ actor: line() })

export const absenceBody = z.strictObject({
  substitute: person.meta({ description: 'Who answers meanwhile' }),
  starts_at: moment.optional().meta({ description: 'Now if absent' }),
  ends_at: moment.optional().meta({ description: 'Absent until the end is known' }),
})

export const absenceOfBody = absenceBody.extend({
  actor: person.meta({ description: 'Who is away' }),
})

export const absence = z
  .object({
    actor: z.string(),
    substitute: z.string(),
    starts_at: timestamp,
    ends_at: timestamp.nullable(),
    updated_by: z.string(),
    updated_at: timestamp,
  })
  .meta({ id: 'Absence' }) satisfies z.ZodType<AbsenceRecord>

export const absenceList = z.object({ data: z.array(absence) }).meta({ id: 'AbsenceList' })
