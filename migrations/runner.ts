import { Client } from 'pg'
import { DataSource } from 'typeorm'
import { migrations } from './all.ts'
import { ensureAppRole, grantAppRole } from './app-role.ts'
import { compressByLz4, expectLargeWorkspaces } from './column-settings.ts'
import { restoreOwnerPolicies } from './owner-policies.ts'
import { DUPLICATE_DATABASE, hasCode, NO_SUCH_DATABASE, UNIQUE_VIOLATION } from './error-codes.ts'

/** Advisory lock: one migration run at a time per database. */
const LOCK = 7_414_851

export interface MigrationRun {
  /** Names of the applied migrations. */
  applied: string[]
}

/**
 * Migrates a database. Creates the database and the application role if they are missing, runs pending migrations,
 * and grants the role its permissions. Then creates owner policies, and sets the compression of large values and the
 * planner statistics of workspaces. Concurrent calls wait for each other.
 * @param adminUrl the owner of the tables; may create databases and roles
 * @param appUrl contains the application role and its password
 */
export async function migrate(adminUrl: string, appUrl: string): Promise<MigrationRun> {
  await ensureDatabase(adminUrl)
  const client = await connect(adminUrl)
  try {
    await client.query('select pg_advisory_lock($1)', [LOCK])
    await requireSchema(client)
    await ensureAppRole(client, appUrl)
    const applied = await runPending(adminUrl)
    await grantAppRole(client, appUrl)
    await restoreOwnerPolicies(client)
    await compressByLz4(client)
    await expectLargeWorkspaces(client)
    return { applied }
  } finally {
    await client.end()
  }
}

/**
 * Throws if tables would be created in a schema other than "public", because database functions refer to that schema.
 */
async function requireSchema(client: Client): Promise<void> {
  const { rows } = await client.query<{ name: string | null; owner: string }>(
    'select current_schema() as name, current_user as owner',
  )
  const { name = null, owner = '' } = rows[0] ?? {}
  if (name === 'public') return
  const problem = name === null ? 'contains no existing schema' : `starts with the schema "${name}"`
  throw new Error(
    `The search path of "${owner}" ${problem}. Ganglion needs its tables in the schema "public". Use a separate database for Ganglion and run: alter role "${owner}" in database <name> set search_path = public`,
  )
}

async function runPending(adminUrl: string): Promise<string[]> {
  const source = new DataSource({
    type: 'postgres',
    url: adminUrl,
    migrations,
    migrationsTransactionMode: 'each',
    synchronize: false,
    installExtensions: false,
    logging: false,
    poolSize: 2,
    connectTimeoutMS: 10_000,
    applicationName: 'ganglion-migrate',
  })
  await source.initialize()
  try {
    await refuseOtherMigrations(source, adminUrl)
    const ran = await source.runMigrations()
    return ran.map(migration => migration.name)
  } finally {
    await source.destroy()
  }
}

/** Throws if the database was created by migrations that this version doesn't contain. */
async function refuseOtherMigrations(source: DataSource, adminUrl: string): Promise<void> {
  const [{ table }] = await source.query<[{ table: string | null }]>(`select to_regclass('migrations') as "table"`)
  if (table === null) return
  const applied = await source.query<{ name: string }[]>('select name from migrations')
  const unknown = applied.map(({ name }) => name).filter(name => !migrations.some(migration => migration.name === name))
  if (unknown.length === 0) return
  const database = decodeURIComponent(new URL(adminUrl).pathname.slice(1))
  throw new Error(
    `The database ${database} was created by another version (${unknown.join(', ')}). Drop it or use another one`,
  )
}

async function ensureDatabase(adminUrl: string): Promise<void> {
  const target = await connect(adminUrl).catch((error: unknown) => {
    if (hasCode(error, NO_SUCH_DATABASE)) return undefined
    throw error
  })
  if (target) return target.end()
  const server = new URL(adminUrl)
  const name = decodeURIComponent(server.pathname.slice(1))
  server.pathname = '/postgres'
  const client = await connect(server.href)
  try {
    await client.query(`create database ${client.escapeIdentifier(name)}`)
  } catch (error) {
    // Another process created it.
    if (!hasCode(error, DUPLICATE_DATABASE) && !hasCode(error, UNIQUE_VIOLATION)) throw error
  } finally {
    await client.end()
  }
}

async function connect(url: string): Promise<Client> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 10_000 })
  await client.connect()
  return client
}
