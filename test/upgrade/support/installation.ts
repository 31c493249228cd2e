import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Client } from 'pg'
import { readEnvironment } from '../../../config/environment.ts'
import { nextFree } from '../../../dev/machine/ports.ts'
import { modelEnvironment } from '../../support/agents/scripted-providers.ts'
import { type ModelServer, startModelServer } from '../../support/agents/model-server.ts'
import { type ApiClient, createClient } from '../../support/clients/client.ts'
import { inDatabase, serverUrls } from '../../support/stack/database.ts'
import { startProcess, type TestProcess } from '../../support/stack/process.ts'
import { answers, buildEnvironment, dropIndices } from '../../support/stack/stack.ts'

/** The folder with the code of a version. */
export type Version = string

export const CURRENT: Version = join(import.meta.dirname, '../../..')
/** The version to upgrade from, which `npm run test:upgrade` installs. */
export const FORMER: Version = readEnvironment()['FORMER_VERSION'] ?? ''

const execute = promisify(execFile)

export interface Api extends TestProcess {
  version: Version
  client: ApiClient
}

/** A database, an index and a task queue, with processes of two versions. */
export interface Installation {
  env: Record<string, string>
  models: ModelServer
  workspace: { id: string; slug: string }
  startApi(version: Version): Promise<Api>
  startWorker(version: Version, env?: Record<string, string>): Promise<TestProcess>
  /** Runs a `ganglion-admin` command. Returns its output. */
  admin(version: Version, ...args: string[]): Promise<string>
  /** Ends all processes and removes the data. */
  discard(): Promise<void>
}

/** Installs the former version, with one workspace, whose key acts as `user:ann`. */
export async function installFormer(): Promise<Installation> {
  if (!FORMER) throw new Error('FORMER_VERSION is not set; `npm run test:upgrade` sets it')
  // Later runs of the tests remove the database if this one is killed.
  const name = `ganglion_test_${Math.floor(Date.now() / 1000)}_${randomBytes(4).toString('hex')}`
  const urls = serverUrls()
  const models = await startModelServer()
  const env = await buildEnvironment(
    { url: inDatabase(urls.app, name), adminUrl: inDatabase(urls.admin, name) },
    { env: modelEnvironment(models) },
  )
  const processes: TestProcess[] = []
  const runScript = async (version: Version, entry: string, ...args: string[]): Promise<string> => {
    const variables = { PATH: process.env.PATH, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE, ...env }
    return (await execute(process.execPath, [join(version, entry), ...args], { cwd: version, env: variables })).stdout
  }
  const admin: Installation['admin'] = (version, ...args) => runScript(version, 'api/admin.ts', ...args)

  const hasScript = existsSync(join(FORMER, 'migrations/migrate.ts'))
  await (hasScript ? runScript(FORMER, 'migrations/migrate.ts') : admin(FORMER, 'migrate'))
  const slug = 'upgraded'
  const create = async <T>(...args: string[]) => JSON.parse(await admin(FORMER, ...args, '--json')) as T
  const { id } = await create<{ id: string }>('workspace', 'create', '--name', 'Upgraded', '--slug', slug)
  const ann = ['--workspace', slug, '--actor', 'user:ann']
  await create('member', 'set', ...ann, '--role', 'admin')
  const { api_key } = await create<{ api_key: string }>('api-key', 'create', ...ann, '--name', 'test')

  return {
    env,
    models,
    workspace: { id, slug },
    admin,
    async startApi(version) {
      const port = await nextFree()
      const base = `http://127.0.0.1:${port}`
      const variables = { ...env, PORT: String(port), BASE_URL: base }
      const api = await startProcess('api/main.ts', variables, () => answers(base), [], version)
      processes.push(api)
      return { ...api, version, client: createClient(base, api_key) }
    },
    async startWorker(version, settings) {
      const isReady = (output: string) => output.includes('"worker is ready"')
      const worker = await startProcess('activities/worker.ts', { ...env, ...settings }, isReady, [], version)
      processes.push(worker)
      return worker
    },
    async discard() {
      await Promise.all(processes.map(each => each.end()))
      await Promise.all([models.close(), dropIndices(env), dropDatabase(urls.admin, name)])
    },
  }
}

async function dropDatabase(adminUrl: string, name: string): Promise<void> {
  const client = new Client({ connectionString: inDatabase(adminUrl, 'postgres') })
  await client.connect()
  await client.query(`drop database if exists ${name} with (force)`)
  await client.end()
}
