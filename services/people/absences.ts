import { deleteAbsence, findAbsence, listAbsences, saveAbsence } from '../../data/people/absences-store.ts'
import { writeAudit } from '../../data/audit/audit-store.ts'
import type { Database } from '../../data/shared/database.ts'
import { Forbidden, NotFound, ValidationError } from '../../domain/shared/errors.ts'
import type { Problem } from '../../domain/shared/json/json.ts'
import { isActorName, type Principal } from '../../domain/access/principal.ts'
import { checkWritable } from '../access/brains.ts'
import { listUnknownNames } from './unknown-names.ts'
import type { AbsenceBody, AbsenceView } from '../../contract/people/absence.ts'

/**
 * Absences of a workspace's members. During an absence, the substitute answers tasks that are assigned to the person
 * by name.
 */
export interface AbsencesService {
  /** Lists absences that have not ended. */
  list(principal: Principal): Promise<AbsenceView[]>
  /**
   * Sets a person's absence. Throws ValidationError if the substitute is unknown or the end is not after the start.
   * Throws Forbidden if callers name themselves as another person's substitute.
   */
  save(principal: Principal, actor: string, absence: AbsenceBody): Promise<AbsenceView>
  /** Ends a person's absence. Throws NotFound if the person has no absence. */
  end(principal: Principal, actor: string): Promise<void>
}

export function createAbsences({ db }: { db: Database }): AbsencesService {
  return {
    list: ({ workspace_id }) => db.inWorkspace(workspace_id, listAbsences),

    save: (principal, actor, { substitute, starts_at = new Date().toISOString(), ends_at = null as string | null }) =>
      db.inWorkspace(principal.workspace_id, async tx => {
        checkWritable(principal, null)
        if (!isActorName(actor)) throw new Forbidden(`Only a person can be absent, but ${actor} is not a person`)
        if (!principal.people.includes(actor) && principal.people.includes(substitute))
          throw new Forbidden(`Another person must name ${substitute} as the substitute for ${actor}`)
        const problems: Problem[] = []
        if (substitute === actor) problems.push({ pointer: '/substitute', message: 'must be a different person' })
        else problems.push(...(await listUnknownNames(tx, [substitute], () => '/substitute')))
        if (ends_at !== null && Date.parse(ends_at) <= Date.parse(starts_at))
          problems.push({ pointer: '/ends_at', message: 'must be after the start' })
        if (problems.length > 0) throw new ValidationError('The absence is invalid', problems)
        const before = await findAbsence(tx, actor)
        const after = await saveAbsence(tx, { actor, substitute, starts_at, ends_at, updated_by: principal.actor })
        const change = before ? { before, after } : { after }
        await writeAudit(tx, principal, { action: 'absence.set', target: actor, details: { substitute }, ...change })
        return after
      }),

    end: (principal, actor) =>
      db.inWorkspace(principal.workspace_id, async tx => {
        checkWritable(principal, null)
        const before = await findAbsence(tx, actor)
        if (!before) throw new NotFound('The absence')
        await deleteAbsence(tx, actor)
        await writeAudit(tx, principal, { action: 'absence.remove', target: actor, before })
      }),
  }
}
