import type { Client } from 'pg'
import { DUPLICATE_OBJECT, hasCode, UNIQUE_VIOLATION } from './error-codes.ts'
import { MigrationRefusal } from './migration.ts'

/** Tables where the application may only insert and read rows, with the columns that only the database writes. */
const APPEND_ONLY = {
  audit_log: ['id', 'at'],
  audit_seals: ['sealed_at', 'expired_at'],
  intervention_votes: ['recorded_at'],
}
/** Tables that the application may only read. */
const READ_ONLY = ['migrations']

/**
 * Creates the application role if it is missing. The role owns nothing and cannot bypass row-level security. Throws
 * if an existing role with this name can.
 */
export async function ensureAppRole(client: Client, appUrl: string): Promise<void> {
  const { username, password } = new URL(appUrl)
  const role = decodeURIComponent(username)
  const name = client.escapeIdentifier(role)
  const secret = client.escapeLiteral(decodeURIComponent(password))
  const roles = await client.query('select 1 from pg_roles where rolname = $1', [role])
  if (roles.rowCount === 0)
    await client
      .query(`create role ${name} login nosuperuser nobypassrls nocreatedb nocreaterole password ${secret}`)
      .catch((error: unknown) => {
        // Roles belong to the server, so the migration of another database may have created it.
        if (!hasCode(error, DUPLICATE_OBJECT, UNIQUE_VIOLATION)) throw error
      })
  const roleCheck = await client.query<{ unsafe: boolean }>(
    `select rolsuper or rolbypassrls or rolname = current_user as unsafe from pg_roles where rolname = $1`,
    [role],
  )
  if (roleCheck.rows[0]?.unsafe !== false)
    throw new MigrationRefusal(
      `The role "${role}" in DATABASE_URL can bypass row-level security. Use a role that cannot`,
    )
}

/** Grants the role access to all tables, in one transaction. Append-only and read-only tables have fewer grants. */
export async function grantAppRole(client: Client, appUrl: string): Promise<void> {
  const role = client.escapeIdentifier(decodeURIComponent(new URL(appUrl).username))
  await client.query(`
    grant usage on schema public to ${role};
    grant select, insert, update, delete on all tables in schema public to ${role};
    grant usage on all sequences in schema public to ${role};
    revoke insert, update, delete on ${Object.keys(APPEND_ONLY).join(', ')} from ${role};
    ${(await buildInsertGrants(client, role)).join(';')};
    revoke insert, update, delete on ${READ_ONLY.join(', ')} from ${role}`)
}

/**
 * Builds the insert grants for append-only tables. They exclude the id and time columns, so that rows cannot be
 * back-dated.
 */
async function buildInsertGrants(client: Client, role: string): Promise<string[]> {
  const grants: string[] = []
  for (const [table, columns] of Object.entries(APPEND_ONLY)) {
    const { rows } = await client.query<{ columns: string }>(
      `select string_agg(quote_ident(attname), ', ') as columns from pg_attribute
        where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = '' and attname <> all($2)`,
      [table, columns],
    )
    grants.push(`grant insert (${rows[0]?.columns}) on ${table} to ${role}`)
  }
  return grants
}
