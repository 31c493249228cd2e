import type { Tx } from '../shared/database.ts'
import { createFilter, type Page, readPage } from '../shared/page.ts'
import { execute, insertReturning, requireRow, select, selectOne, update } from '../shared/statements.ts'
import { bigint, list, omit, pick, type Row } from '../shared/table.ts'
import { secretsTable } from './tables.ts'

const SECRET = omit(secretsTable, 'workspace_id', 'value', 'key_id')
/** A workspace secret without its value. */
export type Secret = Row<typeof SECRET>

const ENCRYPTED = pick(secretsTable, 'name', 'hosts', 'value', 'key_id')
/** A secret whose value is encrypted with the key identified by `key_id`. */
export type EncryptedSecret = Row<typeof ENCRYPTED>

export async function countSecrets(tx: Tx): Promise<number> {
  const row = await selectOne(tx, { count: bigint() }, 'select count(*) from secrets')
  return requireRow(row).count
}

/** Returns a page of secrets, ordered by name. */
export const listSecrets = (tx: Tx, { limit, offset }: { limit: number; offset: number }): Promise<Page<Secret>> =>
  readPage(tx, { columns: SECRET, from: 'secrets', order: 'name', limit, offset }, createFilter())

export async function findSecret(tx: Tx, name: string): Promise<Secret | undefined> {
  return selectOne(tx, SECRET, `select ${list(SECRET)} from secrets where name = $1`, [name])
}

export const findEncryptedSecrets = (tx: Tx, names: string[]): Promise<EncryptedSecret[]> =>
  select(tx, ENCRYPTED, `select ${list(ENCRYPTED)} from secrets where name = any($1)`, [names])

/** Returns those of the given names that are secrets in the workspace. */
export async function findSecretNames(tx: Tx, names: string[]): Promise<Set<string>> {
  const rows = await select(tx, pick(secretsTable, 'name'), 'select name from secrets where name = any($1)', [names])
  return new Set(rows.map(({ name }) => name))
}

/** Inserts a secret, or replaces the value and hosts of an existing one. */
export async function saveSecret(
  tx: Tx,
  { name, hosts, value, key_id, actor }: EncryptedSecret & { actor: string },
): Promise<Secret> {
  const secret = await insertReturning(
    tx,
    secretsTable,
    { name, hosts, value, key_id, created_by: actor, updated_by: actor },
    SECRET,
    `on conflict (workspace_id, name) do update
       set hosts = excluded.hosts, value = excluded.value, key_id = excluded.key_id, updated_by = excluded.updated_by,
           updated_at = now()`,
  )
  return requireRow(secret)
}

export async function deleteSecret(tx: Tx, name: string): Promise<void> {
  await execute(tx, 'delete from secrets where name = $1', [name])
}

/** Returns the workspace's secrets that are encrypted with any other key. */
export const findSecretsOfOtherKeys = (tx: Tx, keyId: string): Promise<EncryptedSecret[]> =>
  select(tx, ENCRYPTED, `select ${list(ENCRYPTED)} from secrets where key_id <> $1`, [keyId])

/** Replaces the encrypted value and the key id of a secret. The plain value stays the same. */
export async function replaceEncrypted(tx: Tx, { name, value, key_id }: EncryptedSecret): Promise<void> {
  await update(tx, secretsTable, { value, key_id }, 'name = $1', [name])
}
