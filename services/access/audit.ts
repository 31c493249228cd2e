import { type AuditAuthor, writeAudit } from '../../data/audit-store.ts'
import type { Tx } from '../../data/database.ts'
import type { Credential } from '../../data/entities/access.ts'
import type { JsonObject } from '../../domain/json.ts'

/** The rows before and after a change. A revocation leaves none. */
type CredentialChange = { before: Credential; after?: Credential } | { before?: never; after: Credential }

/** Writes the audit entry of a change to a credential. */
export async function auditCredential(
  tx: Tx,
  author: AuditAuthor,
  verb: 'create' | 'update' | 'rotate' | 'revoke',
  change: CredentialChange,
  details: JsonObject = {},
): Promise<void> {
  const row = change.before === undefined ? change.after : (change.after ?? change.before)
  const { id: target, kind } = row
  const [before, after] = [change.before && toState(change.before), change.after && toState(change.after)]
  await writeAudit(tx, author, {
    action: `${kind}.${verb}`,
    target,
    before,
    after,
    details: { name: row.name, ...details },
  })
}

/** What the hash covers: all but the HMAC, and what each use changes. */
const toState = ({ hmac: _hmac, uses: _uses, last_used_at: _used, ...state }: Credential) => state
