import {
  findCredential,
  listHookTokens,
  revokeCredential,
  updateCredential,
  type Credential,
} from '../../../data/access/credentials-store.ts'
import type { Tx } from '../../../data/shared/database.ts'
import type { Principal } from '../../../domain/access/principal.ts'
import { auditCredential } from '../../access/audit.ts'

const KIND = 'hook_token'
const HOUR_MS = 3_600_000

/** Lets the present token of a hook expire after the hours, and revokes those before it. */
export async function endTokens(tx: Tx, by: Principal, triggerId: string, overlapHours: number): Promise<void> {
  const [present, ...former] = await listHookTokens(tx, triggerId)
  for (const token of former) await revoke(tx, by, token)
  if (!present) return
  if (overlapHours === 0) await revoke(tx, by, present)
  else await expire(tx, by, present, new Date(Date.now() + overlapHours * HOUR_MS).toISOString())
}

async function revoke(tx: Tx, by: Principal, token: Credential): Promise<void> {
  await revokeCredential(tx, KIND, token.id)
  await auditCredential(tx, by, 'revoke', { before: token })
}

async function expire(tx: Tx, by: Principal, token: Credential, expires_at: string): Promise<void> {
  await updateCredential(tx, KIND, token.id, { expires_at })
  const after = await findCredential(tx, KIND, token.id)
  await auditCredential(tx, by, 'update', { before: token, after: after ?? token })
}
