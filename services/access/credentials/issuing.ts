import { randomUUIDv7 } from 'node:crypto'
import { findExistingBrains } from '../../../data/access/access-store.ts'
import {
  findCredential,
  insertCredential,
  revokeCredential,
  type NewCredential,
  type Credential,
} from '../../../data/access/credentials-store.ts'
import type { Tx } from '../../../data/shared/database.ts'
import type { StoredKind } from '../../../domain/access/permissions.ts'
import { NotFound, ValidationError } from '../../../domain/shared/errors.ts'
import { isUuid } from '../../../domain/shared/uuid.ts'
import { auditCredential } from '../audit.ts'
import type { Manager } from '../manager.ts'
import { computeHmac, makeToken, parseToken } from './token.ts'

/** A new credential with its token. Only the HMAC of the token is stored. */
export interface IssuedCredential {
  credential: Credential
  token: string
}

type Fields = Omit<NewCredential, 'id' | 'prefix' | 'hmac' | 'created_by'>

/** Stores a new credential. The fields must already be validated. */
export async function issueCredential(tx: Tx, secret: string, by: Manager, fields: Fields): Promise<IssuedCredential> {
  const id = randomUUIDv7()
  const token = makeToken(fields.kind, by.workspace_id)
  const prefix = parseToken(token)?.prefix ?? ''
  const row = { ...fields, id, prefix, hmac: computeHmac(token, secret), created_by: by.person }
  const credential = await insertCredential(tx, row)
  const { actor, owner } = credential
  await auditCredential(tx, by, 'create', { after: credential }, { actor, owner })
  return { credential, token }
}

/** Revokes a credential. Revoking the credential again has no effect. Throws NotFound. */
export async function revokeIssued(tx: Tx, by: Manager, kind: IssuedKind, id: string): Promise<void> {
  const before = isUuid(id) ? await findCredential(tx, kind, id) : undefined
  if (!before) throw new NotFound(`${NAMES[kind]} ${id}`)
  if (await revokeCredential(tx, kind, id)) await auditCredential(tx, by, 'revoke', { before })
}

type IssuedKind = Exclude<StoredKind, 'sign_in_link' | 'hook_token'>

/** Display name for each kind of credential, capitalized. */
export const NAMES: Record<IssuedKind, string> = {
  api_key: 'API key',
  publishable_key: 'Publishable key',
  share_token: 'Share token',
  session: 'Session',
}

/** Throws ValidationError if a brain is not in the workspace. */
export async function checkBrainsExist(
  tx: Tx,
  { brain_ids, default_brain_id }: { brain_ids: string[] | null; default_brain_id: string | null },
): Promise<void> {
  const ids = [...(brain_ids ?? []), ...(default_brain_id === null ? [] : [default_brain_id])]
  const existingIds = await findExistingBrains(tx, ids)
  const missing = ids.find(brain => !existingIds.has(brain))
  if (missing) throw new ValidationError(`The workspace has no brain ${missing}`)
}
