import { z } from 'zod'
import { isActorName } from '../../../domain/principal.ts'
import type { AbsenceRecord } from '../../../services/human-tasks/absences.ts'
import { line, timestamp } from '../../routing/schemas.ts'

const PERSON = { error: 'must be a person such as user:ann' }

export const absenceParams = z.object({ actor: line() })

export const absenceBody = z.strictObject({
  substitute: line().refine(isActorName, PERSON).meta({ description: 'Who answers meanwhile' }),
  starts_at: z.iso.datetime({ offset: true }).optional().meta({ description: 'Now if absent' }),
  ends_at: z.iso.datetime({ offset: true }).optional().meta({ description: 'Absent until the end is known' }),
})

export const absenceOfBody = absenceBody.extend({
  actor: line().refine(isActorName, PERSON).meta({ description: 'Who is away' }),
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
