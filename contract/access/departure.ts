import { z } from 'zod'
import { absenceView } from '../people/absence.ts'
import { STORED_KINDS } from '../../domain/access/permissions.ts'
import { flag } from '../shared/query.ts'

const resourceRef = z.object({ id: z.uuid(), slug: z.string(), title: z.string() }).meta({ id: 'ResourceRef' })
const taskRef = z
  .object({ id: z.uuid(), job_id: z.string(), title: z.string(), assignees: z.array(z.string()) })
  .meta({ id: 'TaskRef' })

export type TaskRef = z.output<typeof taskRef>

export const removalQuery = z.object({
  dry_run: flag.prefault('false').meta({ description: '`true` lists what would end, and changes nothing' }),
})
export const departure = z
  .object({
    actor: z.string(),
    revoked: z
      .array(z.object({ id: z.uuid(), kind: z.enum(STORED_KINDS), name: z.string() }))
      .meta({ description: 'Credentials of the person, and the links and tokens that they made' }),
    switched_off: z.array(resourceRef).meta({ description: 'Triggers that the person saved last' }),
    open: z.object({
      tasks: z.array(taskRef).meta({ description: 'Tasks that too few people may answer now' }),
      claims: z.array(taskRef).meta({ description: 'Tasks that the person has claimed, which the removal releases' }),
      delegations: z.array(taskRef).meta({ description: 'Tasks that the person has delegated or was delegated' }),
      absences: z.array(absenceView).meta({ description: 'Absences of the person, or with the person as substitute' }),
      receptors: z.array(resourceRef).meta({ description: 'Receptors that the person saved last. They still work' }),
    }),
  })
  .meta({ id: 'Departure' })

/** What ends with a person who leaves, and what others must take over. */
export type Departure = z.output<typeof departure>
