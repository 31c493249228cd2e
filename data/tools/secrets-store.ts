import type { Tx } from '../shared/database.ts'
import { createFilter, type Page, readPage } from '../shared/page.ts'

/** A secret of the workspace without its value. */
export interface Secret {
  name: string
  hosts: string[]
  created_by: string
  created_at: string
  updated_by: string
  updated_at: string
}

export interface EncryptedSecret extends Pick<Secret, 'name' | 'hosts'> {
  /** Encrypted with the key of this id. */
  value: Buffer
  key_id: string
}

const COLUMNS = 'name, hosts, created_by, created_at, updated_by, updated_at'

export async function countSecrets(tx: Tx): Promise<number> {
  const [row] = await tx.query<{ count: number }[]>('select count(*) from secrets')
  return row?.count ?? 0
}

/** Returns a page of the secrets by name. */
export const listSecrets = (tx: Tx, { limit, offset }: { limit: number; offset: number }): Promise<Page<Secret>> =>
  readPage<Secret>(tx, { columns: COLUMNS, from: 'secrets', order: 'name', limit, offset }, createFilter())

export async function findSecret(tx: Tx, name: string): Promise<Secret | undefined> {
  const [found] = await tx.query<Secret[]>(`select ${COLUMNS} from secrets where name = $1`, [name])
  return found
}

export const findEncryptedSecrets = (tx: Tx, names: string[]): Promise<EncryptedSecret[]> =>
  tx.query('select name, hosts, value, key_id from secrets where name = any($1)', [names])

/** Returns those of the names that are secrets of the workspace. */
export async function findSecretNames(tx: Tx, names: string[]): Promise<Set<string>> {
  const found = await tx.query<{ name: string }[]>('select name from secrets where name = any($1)', [names])
  return new Set(found.map(({ name }) => name))
}

/** Inserts a secret, or replaces the value and the hosts of the one with the name. */
export async function saveSecret(
  tx: Tx,
  { name, hosts, value, key_id, actor }: EncryptedSecret & { actor: string },
): Promise<Secret> {
  const [saved] = await tx.query<Secret[]>(
    `insert into secrets (name, hosts, value, key_id, created_by, updated_by) values ($1, $2, $3, $4, $5, $5)
     on conflict (workspace_id, name) do update
       set hosts = excluded.hosts, value = excluded.value, key_id = excluded.key_id, updated_by = excluded.updated_by,
           updated_at = now()
     returning ${COLUMNS}`,
    [name, hosts, value, key_id, actor],
  )
  return saved as Secret
}

export async function deleteSecret(tx: Tx, name: string): Promise<void> {
  await tx.query('delete from secrets where name = $1', [name])
}

/** Returns the secrets of the workspace that another key has encrypted. */
export const findSecretsOfOtherKeys = (tx: Tx, keyId: string): Promise<EncryptedSecret[]> =>
  tx.query('select name, hosts, value, key_id from secrets where key_id <> $1', [keyId])

/** Replaces the encrypted form of a secret, whose value stays the same. */
export async function replaceEncrypted(tx: Tx, { name, value, key_id }: EncryptedSecret): Promise<void> {
  await tx.query('update secrets set value = $2, key_id = $3 where name = $1', [name, value, key_id])
}
