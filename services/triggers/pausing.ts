import { type AuditAuthor } from '../../data/audit/audit-store.ts'
import type { Tx } from '../../data/shared/database.ts'
import { findAuthorPermissions, lockResource, saveNextVersion } from '../../data/resources/resources-store.ts'
import { computeDelta } from '../../domain/resources/patching.ts'
import { notFoundError } from '../resources/finding.ts'
import { toEditable } from '../resources/saving.ts'

/**
 * Pauses a live or deleted trigger and stores a reason, which its health includes. The caller writes the audit entry. Throws
 * NotFound.
 */
export async function pauseTrigger(tx: Tx, by: AuditAuthor, id: string, pause_note: string): Promise<void> {
  const head = await lockResource(tx, { kind: 'triggers', idOrSlug: id }, { deleted: true })
  if (!head) throw notFoundError('triggers')
  const next = { ...head, document: { ...head.document, paused: true, pause_note } }
  const delta = computeDelta(toEditable(head), toEditable(next))
  // Resuming the trigger saves a new version with the permissions of the person who resumes it.
  const author_permissions = await findAuthorPermissions(tx, head)
  await saveNextVersion(tx, next, { author: by.actor, author_permissions, note: pause_note, delta })
}
