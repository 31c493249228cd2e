import { createHash } from 'node:crypto'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from 'pg'
import { installOnce } from '../machine/cache.ts'
import { makeFolder } from '../machine/folders.ts'
import { goIntoFolder } from '../machine/go.ts'
import { nextFree } from '../machine/ports.ts'
import { run } from '../machine/shell.ts'
import type { Component, Environment, NativeContext } from './component.ts'
import { ensureDatabase } from './postgres-database.ts'
import { readDynamicConfig, temporalDevServer } from './temporal.ts'
import { checkTemporal, ensureNamespaces } from './temporal-namespaces.ts'

const VERSION = '1.32.0'
const PLUGIN = 'postgres12'
const MODULE = 'go.temporal.io/server/cmd'
/** The same number as in docker-compose.yml. `TEMPORAL_SHARDS` sets a smaller number for small machines. */
const HISTORY_SHARDS = process.env['TEMPORAL_SHARDS'] ?? '512'
/** Ports that the server's services use among themselves. */
const INTERNAL_PORTS = [
  'FRONTEND_MEMBERSHIP_PORT',
  'FRONTEND_HTTP_PORT',
  'HISTORY_GRPC_PORT',
  'HISTORY_MEMBERSHIP_PORT',
  'MATCHING_GRPC_PORT',
  'MATCHING_MEMBERSHIP_PORT',
  'WORKER_GRPC_PORT',
  'WORKER_MEMBERSHIP_PORT',
]

/**
 * Temporal's production server, without the Temporal UI. Stores its data in the stack's Postgres, in two databases of
 * its own, with its own role.
 */
export const temporalServer: Component = {
  ...temporalDevServer,
  needs: ['postgres'],
  readySeconds: 120,

  environment: place => ({
    TEMPORAL_ADDRESS: `127.0.0.1:${place.ports.temporal}`,
    TEMPORAL_NAMESPACE: place.namespaces[0] ?? 'default',
  }),

  install: context =>
    installOnce(`temporal-server-${VERSION}`, async target => {
      context.log(`building the Temporal server ${VERSION} with Go (some minutes, once)`)
      await goIntoFolder(target, [`${MODULE}/server@v${VERSION}`, `${MODULE}/tools/sql@v${VERSION}`])
    }),

  async launch(context, installed) {
    makeFolder(context.data, { mode: 0o700 })
    const stores = await prepareStores(context, join(installed, 'sql'))
    const dynamicConfig = join(context.data, 'dynamic-config.yaml')
    const settings = Object.entries(readDynamicConfig())
    writeFileSync(dynamicConfig, settings.map(([key, value]) => `${key}:\n  - value: ${value}\n`).join(''))
    const env: Environment = {
      ...stores,
      BIND_ON_IP: '127.0.0.1',
      FRONTEND_GRPC_PORT: String(context.ports.temporal),
      NUM_HISTORY_SHARDS: HISTORY_SHARDS,
      DYNAMIC_CONFIG_FILE_PATH: dynamicConfig,
      LOG_LEVEL: 'warn',
    }
    for (const name of INTERNAL_PORTS) env[name] = String(await nextFree())
    return { command: join(installed, 'server'), args: ['start'], cwd: context.data, env }
  },

  check: environment => checkTemporal(environment['TEMPORAL_ADDRESS'] ?? ''),
  prepare: (environment, place) => ensureNamespaces(environment['TEMPORAL_ADDRESS'] ?? '', place.namespaces),
}

/**
 * Creates the role, the databases and their schemas if they don't exist. Returns the server's settings for them. Each
 * data folder has its own databases, because sets of components can share a Postgres.
 */
async function prepareStores(context: NativeContext, sqlTool: string): Promise<Environment> {
  const admin = context.environment['DATABASE_ADMIN_URL']
  if (!admin) throw new Error('Set DATABASE_ADMIN_URL: the Temporal server stores its data in this Postgres')
  const role = `temporal_${createHash('sha256').update(context.data).digest('hex').slice(0, 8)}`
  const password = context.secrets.admin_password
  const stores = { DBNAME: role, VISIBILITY_DBNAME: `${role}_visibility` }
  await createDatabases(admin, { role, password, names: Object.values(stores) })
  const { hostname: host, port } = new URL(admin)
  const settings = { DB: PLUGIN, POSTGRES_SEEDS: host, DB_PORT: port, POSTGRES_USER: role, POSTGRES_PWD: password }
  const migrate = async (database: string, schema: string) => {
    const tool = (...args: string[]) =>
      run(sqlTool, ['--plugin', PLUGIN, '--ep', host, '-p', port, '-u', role, '--db', database, ...args], {
        env: { SQL_PASSWORD: password },
      })
    const isNew = !existsSync(join(context.data, database))
    if (isNew) await tool('setup-schema', '-v', '0.0')
    await tool('update-schema', '--schema-name', `postgresql/v12/${schema}`)
    if (isNew) writeFileSync(join(context.data, database), '')
  }
  await migrate(stores.DBNAME, 'temporal')
  await migrate(stores.VISIBILITY_DBNAME, 'visibility')
  return { ...settings, ...stores }
}

async function createDatabases(
  admin: string,
  { role, password, names }: { role: string; password: string; names: string[] },
): Promise<void> {
  const client = new Client({ connectionString: admin, connectionTimeoutMillis: 5000 })
  await client.connect()
  try {
    const { rowCount } = await client.query('select 1 from pg_roles where rolname = $1', [role])
    if (!rowCount) await client.query(`create role ${role} login password ${client.escapeLiteral(password)}`)
    for (const name of names) {
      const url = new URL(admin)
      url.pathname = `/${name}`
      await ensureDatabase(url.href)
      await client.query(`alter database ${name} owner to ${role}`)
    }
  } finally {
    await client.end()
  }
}
