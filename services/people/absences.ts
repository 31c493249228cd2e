import { deleteAbsence, findAbsence, listAbsences, saveAbsence } from '../../data/people/absences-store.ts'
import { writeAudit } from '../../data/audit/audit-store.ts'
import type { Database } from '../../data/shared/database.ts'
import { Forbidden, NotFound, ValidationError } from '../../domain/shared/errors.ts'
import type { Problem } from '../../domain/shared/json/json.ts'
import { isActorName, type Principal } from '../../domain/access/principal.ts'
import { checkWritable } from '../access/brains.ts'
import { listUnknownNames } from './unknown-names.ts'
import type { AbsenceBody, AbsenceView } from '../../contract/people/absence.ts'

/** The absences of the people of a workspace. While one lasts, the substitute answers what the person is assigned by name. */
export interface AbsencesService {
  /** Those that have not ended. */
  list(principal: Principal): Promise<AbsenceView[]>
  /**
   * Sets the absence of a person. Throws ValidationError for a substitute that no one knows, and for times out of order, and
   * Forbidden for a substitute of another person who is the caller.
   */
  save(principal: Principal, actor: string, absence: AbsenceBody): Promise<AbsenceView>
  /** Ends the absence of a person. Throws NotFound for one who has none. */
  end(principal: Principal, actor: string): Promise<void>
}

export function createAbsences({ db }: { db: Database }): AbsencesService {
  return {
    list: ({ workspace_id }) => db.inWorkspace(workspace_id, listAbsences),

    save: (principal, actor, { substitute, starts_at = new Date().toISOString(), ends_at = null as string | null }) =>
      db.inWorkspace(principal.workspace_id, async tx => {
        checkWritable(principal, null)
        if (!isActorName(actor)) throw new Forbidden(`Only a person can be absent, not ${actor}`)
        if (!principal.people.includes(actor) && principal.people.includes(substitute))
          throw new Forbidden(`Another person must name ${substitute} as the substitute of ${actor}`)
        const problems: Problem[] = []
        if (substitute === actor) problems.push({ pointer: '/substitute', message: 'must be another person' })
        else problems.push(...(await listUnknownNames(tx, [substitute], () => '/substitute')))
        if (ends_at !== null && Date.parse(ends_at) <= Date.parse(starts_at))
          problems.push({ pointer: '/ends_at', message: 'must be after the beginning' })
        if (problems.length > 0) throw new ValidationError('The absence has problems', problems)
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
