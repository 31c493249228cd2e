import { Client } from 'pg'

const DUPLICATE_DATABASE = '42P04'

/** Makes the database that an owner's URL names, unless it is there. */
export async function ensureDatabase(adminUrl: string): Promise<void> {
  const name = decodeURIComponent(new URL(adminUrl).pathname.slice(1))
  const server = new URL(adminUrl)
  server.pathname = '/postgres'
  const client = new Client({ connectionString: server.href, connectionTimeoutMillis: 5000 })
  await client.connect()
  try {
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [name])
    if (!rowCount) await client.query(`create database ${client.escapeIdentifier(name)}`)
  } catch (error) {
    if ((error as { code?: string }).code !== DUPLICATE_DATABASE) throw error
  } finally {
    await client.end()
  }
}
