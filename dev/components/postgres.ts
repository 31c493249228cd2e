import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from 'pg'
import { makeFolder, serverUser } from '../machine/folders.ts'
import { run, which } from '../machine/shell.ts'
import type { Component, NativeContext } from './component.ts'
import { ensureDatabase } from './postgres-database.ts'

const DATABASE = 'ganglion'
const ADMIN = 'ganglion'
/** The application's role, which the migrations create. */
const APP = 'ganglion_app'
const DEBIAN = '/usr/lib/postgresql'
const CHECK_MS = 2000

/** Postgres with its own cluster, separate from any system cluster. */
export const postgres: Component = {
  name: 'postgres',
  urlKey: 'DATABASE_URL',
  required: true,
  ports: ['postgres'],
  docker: { service: 'postgres' },
  // Requests a fast shutdown, which disconnects clients. SIGTERM would wait for clients to disconnect.
  stopSignal: 'SIGINT',
  readySeconds: 60,

  environment(place) {
    const at = `127.0.0.1:${place.ports.postgres}/${DATABASE}`
    return {
      DATABASE_ADMIN_URL: `postgres://${ADMIN}:${place.secrets.admin_password}@${at}`,
      DATABASE_URL: `postgres://${APP}:${place.secrets.app_password}@${at}`,
    }
  },

  async install(context) {
    if (!findInitdb()) await context.apt(['postgresql'], 'Postgres')
    const initdb = findInitdb()
    if (!initdb) throw new Error(`Postgres is installed, but initdb was not found in PATH or in ${DEBIAN}/*/bin`)
    return join(initdb, '..')
  },

  async launch(context, installed) {
    const cluster = await makeCluster(context, installed)
    const options = {
      port: context.ports.postgres,
      listen_addresses: '127.0.0.1',
      unix_socket_directories: '',
      max_connections: 300,
      shared_buffers: '256MB',
    }
    const args = Object.entries(options).flatMap(([name, value]) => ['-c', `${name}=${value}`])
    return { command: join(installed, 'postgres'), args: ['-D', cluster, ...args], user: serverUser(), cwd: cluster }
  },

  async check(environment) {
    const connectionString = environment['DATABASE_ADMIN_URL'] ?? environment['DATABASE_URL']
    // An error about a missing database also counts as a response, because the application database may not exist yet.
    const client = new Client({ connectionString, connectionTimeoutMillis: CHECK_MS, query_timeout: CHECK_MS })
    client.on('error', () => {})
    try {
      await client.connect()
    } catch (error) {
      if ((error as { code?: string }).code !== '3D000') throw error
    } finally {
      await client.end()
    }
  },

  async prepare(environment) {
    const url = environment['DATABASE_ADMIN_URL']
    if (url) await ensureDatabase(url)
  },
}

/** Returns the path of initdb: the highest version that Debian installed, otherwise the one in PATH. */
function findInitdb(): string | undefined {
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN).sort((a, b) => Number(b) - Number(a)) : []
  const installed = versions.map(version => join(DEBIAN, version, 'bin/initdb')).find(existsSync)
  return installed ?? which('initdb', ['/opt/homebrew/bin'])
}

/** Creates the cluster if it doesn't exist or if its creation was interrupted. */
async function makeCluster(context: NativeContext, installed: string): Promise<string> {
  const user = serverUser()
  const cluster = join(context.data, 'cluster')
  const complete = join(context.data, 'complete')
  if (existsSync(complete)) return cluster
  rmSync(cluster, { recursive: true, force: true })
  makeFolder(context.data, { user })
  makeFolder(cluster, { mode: 0o700, user })
  const passwordFile = join(cluster, '..', 'password')
  writeFileSync(passwordFile, context.secrets.admin_password, { mode: 0o644 })
  context.log('creating a new cluster')
  try {
    const args = [
      '-D',
      cluster,
      '-U',
      ADMIN,
      '-A',
      'scram-sha-256',
      `--pwfile=${passwordFile}`,
      '-E',
      'UTF8',
      '--locale=C',
    ]
    await run(join(installed, 'initdb'), args, { user, cwd: cluster })
  } finally {
    rmSync(passwordFile, { force: true })
  }
  writeFileSync(complete, '')
  return cluster
}
