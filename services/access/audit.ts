import { type AuditAuthor, findLatest, type StateChange, writeAudit } from '../../data/audit/audit-store.ts'
import type { Tx } from '../../data/shared/database.ts'
import type { Credential } from '../../data/access/credentials-store.ts'
import type { JsonObject } from '../../domain/shared/json/json.ts'

/** Writes the audit entry for a credential change. The state after a revocation is empty. */
export async function auditCredential(
  tx: Tx,
  author: AuditAuthor,
  verb: 'create' | 'update' | 'rotate' | 'revoke',
  change: StateChange<Credential>,
  details: JsonObject = {},
): Promise<void> {
  const { id: target, kind, name } = findLatest(change)
  await writeAudit(tx, author, {
    action: `${kind}.${verb}`,
    target,
    before: change.before && describeState(change.before),
    after: change.after && describeState(change.after),
    details: { name, ...details },
  })
}

/** Returns the fields covered by the hash: all fields except the HMAC and those that change with each use. */
const describeState = ({ hmac: _hmac, uses: _uses, last_used_at: _used, ...state }: Credential) => state
