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
  dry_run: flag
    .prefault('false')
    .meta({ description: '`true` lists what removing the person would end, without changing anything' }),
})
export const deactivationBody = z.strictObject({
  dry_run: z
    .boolean()
    .default(false)
    .meta({ description: '`true` lists what deactivating the person would end, without changing anything' }),
})
export const departure = z
  .object({
    actor: z.string(),
    revoked: z
      .array(z.object({ id: z.uuid(), kind: z.enum(STORED_KINDS), name: z.string() }))
      .meta({ description: "The person's credentials, and the links and tokens they created" }),
    switched_off: z.array(resourceRef).meta({ description: 'Triggers last saved by the person' }),
    open: z.object({
      tasks: z
        .array(taskRef)
        .meta({ description: 'Tasks that would no longer have enough eligible people to answer them' }),
      claims: z
        .array(taskRef)
        .meta({ description: 'Tasks that the person has claimed. Removing the person releases them.' }),
      delegations: z.array(taskRef).meta({ description: 'Tasks that the person delegated or received by delegation' }),
      absences: z
        .array(absenceView)
        .meta({ description: 'Absences of the person, and absences for which the person is the substitute' }),
      receptors: z.array(resourceRef).meta({ description: 'Receptors last saved by the person. They keep working.' }),
    }),
  })
  .meta({ id: 'Departure' })

/** Credentials and triggers that end when a person leaves, and work that others must take over. */
export type Departure = z.output<typeof departure>
