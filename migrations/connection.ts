import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { DUPLICATE_DATABASE, hasCode, NO_SUCH_DATABASE, UNIQUE_VIOLATION } from './error-codes.ts'
import { MigrationRefusal } from './migration.ts'

/** Advisory lock: one migration run at a time per database. */
const LOCK = 7_414_851
const LOCK_POLL_MS = 500

/** Connects as the owner. Returns undefined if the database doesn't exist. */
export async function connectOwner(url: string): Promise<Client | undefined> {
  const client = new Client({
    connectionString: url,
    connectionTimeoutMillis: 10_000,
    application_name: 'ganglion-migrate',
    keepAlive: true,
  })
  try {
    await client.connect()
    return client
  } catch (error) {
    if (hasCode(error, NO_SUCH_DATABASE)) return undefined
    // Connection errors of several addresses have no message.
    if (error instanceof AggregateError || (error as NodeJS.ErrnoException).syscall)
      throw new Error('The database at DATABASE_ADMIN_URL does not respond', { cause: error })
    throw error
  }
}

/** Connects as the owner. Creates the database if it doesn't exist. */
export async function connectCreating(url: string): Promise<Client> {
  const client = (await connectOwner(url)) ?? (await createDatabase(url))
  if (!client) throw new Error(`The database ${databaseName(url)} does not exist`)
  return client
}

async function createDatabase(url: string): Promise<Client | undefined> {
  const server = new URL(url)
  server.pathname = '/postgres'
  const client = await connectOwner(server.href)
  try {
    await client?.query(`create database ${client.escapeIdentifier(databaseName(url))}`)
  } catch (error) {
    // Another process created it.
    if (!hasCode(error, DUPLICATE_DATABASE, UNIQUE_VIOLATION)) throw error
  } finally {
    await client?.end()
  }
  return connectOwner(url)
}

export const databaseName = (url: string): string => decodeURIComponent(new URL(url).pathname.slice(1))

/**
 * Waits until no other migration runs in the database. Polls, because a waiting statement would keep the other
 * migration from building an index.
 */
export async function acquireMigrationLock(client: Client, log: (message: string) => void): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const { rows } = await client.query<{ locked: boolean }>('select pg_try_advisory_lock($1) as locked', [LOCK])
    if (rows[0]?.locked) return
    if (attempt === 1) log('Another migration is running in this database. Waiting for it')
    await sleep(LOCK_POLL_MS)
  }
}

/**
 * Throws if tables would be created in a schema other than "public", because database functions refer to that schema.
 */
export async function requireSchema(client: Client): Promise<void> {
  const { rows } = await client.query<{ name: string | null; owner: string }>(
    'select current_schema() as name, current_user as owner',
  )
  const { name = null, owner = '' } = rows[0] ?? {}
  if (name === 'public') return
  const problem = name === null ? 'contains no existing schema' : `starts with the schema "${name}"`
  throw new MigrationRefusal(
    `The search path of "${owner}" ${problem}. Ganglion needs its tables in the schema "public". Use a separate database for Ganglion and run: alter role "${owner}" in database <name> set search_path = public`,
  )
}
