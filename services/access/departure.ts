import { writeAudit } from '../../data/audit/audit-store.ts'
import { listAbsencesOf } from '../../data/people/absences-store.ts'
import type { Tx } from '../../data/shared/database.ts'
import {
  findUnanswerable,
  listReceptorsOf,
  listTasksOf,
  listTriggersOf,
  revokeCredentialsBehind,
  type TaskOfPerson,
} from '../../data/access/departures-store.ts'
import { deleteAccountsOf } from '../../data/channels/channel-accounts-store.ts'
import { deleteMessagesTo } from '../../data/channels/channel-messages-store.ts'
import type { Member } from '../../data/access/members-store.ts'
import type { Departure, TaskRef } from '../../contract/access/departure.ts'
import { pauseTrigger } from '../triggers/pausing.ts'
import { auditCredential } from './audit.ts'
import type { Manager } from './manager.ts'

/**
 * Revokes a former member's credentials, removes the links to accounts in channels, and pauses triggers that act for
 * the member, in the transaction that removes the member.
 */
export async function endAccess(tx: Tx, by: Manager, member: Member): Promise<Departure> {
  const { actor } = member
  const credentials = await revokeCredentialsBehind(tx, actor)
  for (const credential of credentials)
    await auditCredential(tx, by, 'revoke', { before: { ...credential, revoked_at: null } }, { left: actor })
  await deleteMessagesTo(tx, actor)
  for (const before of await deleteAccountsOf(tx, actor))
    await writeAudit(tx, by, { action: 'channel_account.delete', target: before.channel_id, before })
  const triggers = await listTriggersOf(tx, actor)
  // Deleted triggers can be restored later.
  for (const { id } of [...triggers, ...(await listTriggersOf(tx, actor, { deleted: true }))]) {
    await pauseTrigger(tx, by, id, `${actor} left the workspace. Hand over the trigger, then resume it`)
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
      tasks: tasks.filter(({ id }) => unanswerable.has(id)).map(presentTaskRef),
      claims: tasks.filter(({ is_claimed }) => is_claimed).map(presentTaskRef),
      delegations: tasks.filter(({ is_delegated }) => is_delegated).map(presentTaskRef),
      absences: await listAbsencesOf(tx, actor),
      receptors: await listReceptorsOf(tx, actor),
    },
  }
}

const presentTaskRef = ({ id, job_id, title, assignees }: TaskOfPerson): TaskRef => ({ id, job_id, title, assignees })
