import { createHash, randomBytes } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from 'pg'
import { readEnvironment } from '../../../config/environment.ts'
import { openDatabase, type Database } from '../../../data/shared/database.ts'
import { migrate } from '../../../migrations/runner.ts'

export interface TestDatabase {
  /** The owner's connection. Row-level security also applies to the owner. */
  adminUrl: string
  /** The app role's connection. */
  url: string
  db: Database
  /** Closes the connections and removes the database. */
  drop(): Promise<void>
}

/** Only one template is built at a time, by the first test file. */
const LOCK = 7_414_852
const TEMPLATE = 'ganglion_template_'
const CLONE = 'ganglion_test_'
/** A clone of this age is left over from a killed test run. */
const STALE_SECONDS = 3_600

/**
 * Creates a separate database for one test file: a clone of a migrated template. The template is created once per
 * state of `migrations/` and kept for later runs.
 * @param pool connections of the app role
 * @param environment names the server
 */
export async function createTestDatabase(pool = 10, environment = readEnvironment()): Promise<TestDatabase> {
  const urls = serverUrls(environment)
  const name = `${CLONE}${Math.floor(Date.now() / 1000)}_${randomBytes(4).toString('hex')}`
  await onServer(urls.admin, async client => {
    await client.query('select pg_advisory_lock($1)', [LOCK])
    const template = await ensureTemplate(client, urls)
    await client.query(`create database ${name} template ${template}`)
  })
  const url = inDatabase(urls.app, name)
  const db = openDatabase({ DATABASE_URL: url, DATABASE_POOL: pool })
  return {
    adminUrl: inDatabase(urls.admin, name),
    url,
    db,
    drop: async () => {
      await db.close()
      await onServer(urls.admin, client => client.query(`drop database if exists ${name} with (force)`))
    },
  }
}

/** Returns the database server for the tests, from the environment or the development setup. */
export function serverUrls(environment = readEnvironment()): { admin: string; app: string } {
  const { DATABASE_ADMIN_URL: admin, DATABASE_URL: app } = environment
  if (!admin || !app) throw new Error('DATABASE_ADMIN_URL and DATABASE_URL are not set; `npm test` sets them')
  return { admin, app }
}

/** Returns the same server and role with another database. */
export function inDatabase(url: string, name: string): string {
  const other = new URL(url)
  other.pathname = `/${name}`
  return other.href
}

async function ensureTemplate(client: Client, urls: { admin: string; app: string }): Promise<string> {
  const name = `${TEMPLATE}${migrationsHash()}`
  const { rows } = await client.query<{ datname: string }>(
    `select datname from pg_database where datname like $1 or datname like $2`,
    [`${TEMPLATE}%`, `${CLONE}%`],
  )
  const names = rows.map(row => row.datname)
  if (names.includes(name)) return name
  await Promise.all(
    names.filter(isLeftOver).map(old => onServer(urls.admin, adminClient => adminClient.query(`drop database ${old}`))),
  )
  await migrate(inDatabase(urls.admin, name), urls.app)
  return name
}

function isLeftOver(name: string): boolean {
  const born = Number(name.slice(CLONE.length).split('_')[0])
  return name.startsWith(TEMPLATE) || Date.now() / 1000 - born > STALE_SECONDS
}

function migrationsHash(): string {
  const folder = join(import.meta.dirname, '../../../migrations')
  const hash = createHash('sha256')
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(file => /\.(ts|sql)$/.test(file))
  for (const file of files.sort()) hash.update(readFileSync(join(folder, file)))
  return hash.digest('hex').slice(0, 12)
}

async function onServer<T>(adminUrl: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: inDatabase(adminUrl, 'postgres'), connectionTimeoutMillis: 10_000 })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
