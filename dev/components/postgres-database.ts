import { Client } from 'pg'

const DUPLICATE_DATABASE = '42P04'

/** Creates the database named in the owner's URL if it doesn't exist. */
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
