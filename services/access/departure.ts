import { writeAudit } from '../../data/audit/audit-store.ts'
import { listAbsencesOf, type AbsenceRecord } from '../../data/people/absences-store.ts'
import type { Tx } from '../../data/shared/database.ts'
import {
  findUnanswerable,
  listReceptorsOf,
  listTasksOf,
  listTriggersOf,
  type OwnedResource,
  revokeCredentialsBehind,
  type TaskOfPerson,
} from '../../data/access/departures-store.ts'
import type { Member } from '../../data/access/members-store.ts'
import type { StoredKind } from '../../domain/access/permissions.ts'
import { pauseTrigger } from '../triggers/pausing.ts'
import { auditCredential } from './audit.ts'
import type { Manager } from './types.ts'

export type TaskRef = Pick<TaskOfPerson, 'id' | 'job_id' | 'title' | 'assignees'>

/** What ends with a person who leaves, and what others must take over. */
export interface Departure {
  actor: string
  /** The credentials that act as the person, those they owned, and the links and tokens that they made. */
  revoked: { id: string; kind: StoredKind; name: string }[]
  /** The triggers that the person saved last. */
  switched_off: OwnedResource[]
  open: {
    /** Tasks that too few people may answer now. */
    tasks: TaskRef[]
    /** Tasks that the person has claimed. A removal releases them where others are assignees. */
    claims: TaskRef[]
    /** Tasks that the person has delegated or was delegated. */
    delegations: TaskRef[]
    /** Absences of the person, and those in which they are the substitute. */
    absences: AbsenceRecord[]
    /** Receptors that the person saved last. They still work. */
    receptors: OwnedResource[]
  }
}

/** Ends what acts for a former member, in the transaction that removes them. */
export async function endAccess(tx: Tx, by: Manager, member: Member): Promise<Departure> {
  const { actor } = member
  const credentials = await revokeCredentialsBehind(tx, actor)
  for (const credential of credentials)
    await auditCredential(tx, by, 'revoke', { before: { ...credential, revoked_at: null } }, { left: actor })
  const triggers = await listTriggersOf(tx, actor)
  for (const { id } of triggers) {
    await pauseTrigger(tx, by, id, `${actor} left the workspace. Hand the trigger over, then resume it`)
    await writeAudit(tx, by, { action: 'trigger.switch_off', target: id, details: { left: actor } })
  }
  const tasks = await listTasksOf(tx, member)
  const unanswerable = await findUnanswerable(
    tx,
    tasks.map(({ id }) => id),
  )
  return {
    actor,
    revoked: credentials.map(({ id, kind, name }) => ({ id, kind, name })),
    switched_off: triggers,
    open: {
      tasks: tasks.filter(({ id }) => unanswerable.has(id)).map(toRef),
      claims: tasks.filter(({ is_claimed }) => is_claimed).map(toRef),
      delegations: tasks.filter(({ is_delegated }) => is_delegated).map(toRef),
      absences: await listAbsencesOf(tx, actor),
      receptors: await listReceptorsOf(tx, actor),
    },
  }
}

const toRef = ({ id, job_id, title, assignees }: TaskOfPerson): TaskRef => ({ id, job_id, title, assignees })
