import { createHash } from 'node:crypto'
import { type AuditAuthor, findLatest, type StateChange, writeAudit } from '../../data/audit/audit-store.ts'
import type { Tx } from '../../data/shared/database.ts'
import type { NewResource } from '../../data/resources/resources-store.ts'
import type { JsonObject } from '../../domain/shared/json/json.ts'
import { writeDocumentText } from '../../domain/resources/document-text.ts'
import type { Document } from '../../domain/resources/kind.ts'
import { getResourceKind } from '../../domain/resources/kinds/index.ts'

type SavedResource = NewResource & { version: number }

/**
 * Writes the audit entry for a resource change, in the brain that contains the resource after the change. A deletion
 * has no head after the change, and a restore has none before the change.
 */
export async function auditResource(
  tx: Tx,
  author: AuditAuthor,
  verb: 'create' | 'update' | 'delete' | 'restore',
  change: StateChange<SavedResource>,
  details: JsonObject = {},
): Promise<void> {
  const { id, kind, brain_id, version } = findLatest(change)
  await writeAudit(tx, author, {
    action: `${getResourceKind(kind).singular}.${verb}`,
    target: id,
    brain_id,
    before: change.before && describeState(change.before),
    after: change.after && describeState(change.after),
    details: { version, ...details },
  })
}

/** Returns the head fields that the hash covers. For speed, large documents are hashed in their stored text form. */
const describeState = ({
  id,
  kind,
  brain_id,
  slug,
  title,
  path,
  scope,
  is_active,
  version,
  document,
}: SavedResource) => ({
  id,
  kind,
  brain_id,
  slug,
  title,
  path,
  scope,
  is_active,
  version,
  ...(getResourceKind(kind).isHashedAsText ? { document_sha256: hashText(document) } : { document }),
})

const hashText = (document: Document): string => createHash('sha256').update(writeDocumentText(document)).digest('hex')
