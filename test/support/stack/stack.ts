import { randomBytes } from 'node:crypto'
import { readEnvironment } from '../../../config/environment.ts'
import { readConfig } from '../../../config/config.ts'
import { OPERATOR } from '../../../data/audit/audit-store.ts'
import { openDatabase } from '../../../data/shared/database.ts'
import { findMember } from '../../../data/access/members-store.ts'
import { openEmbedder } from '../../../search/embedding/embedder.ts'
import { openConfiguredSearch } from '../../../search/search.ts'
import type { Permission } from '../../../domain/access/permissions.ts'
import { createAccessAdmin } from '../../../services/access/admin.ts'
import { createMembers } from '../../../services/access/members.ts'
import { type ApiClient, createClient } from '../clients/client.ts'
import { createTestDatabase, type TestDatabase } from './database.ts'
import { startProcess, type TestProcess } from './process.ts'
import { nextFree } from '../../../dev/machine/ports.ts'

/** The running product: the API and the worker as separate processes, with the real components. */
export interface ConnectedStack {
  baseUrl: string
  env: Record<string, string>
  database: Pick<TestDatabase, 'db'>
  /** Creates a workspace with a brain and a key. */
  workspace(key?: { actor?: string; groups?: string[] }, slug?: string): Promise<TestWorkspace>
  /** Closes the resources that the test file opened, and ends the processes that it started. */
  stop(): Promise<void>
}

/** A stack whose processes belong to one test file. */
export interface Stack extends ConnectedStack {
  database: TestDatabase
  api: TestProcess
  worker: TestProcess
  restartApi(): Promise<void>
  /** Starts another worker. The previous worker shuts down gracefully if it is still running. */
  restartWorker(): Promise<void>
  /** Kills the API as in a crash, then starts another one. */
  killApi(): Promise<void>
  killWorker(): Promise<void>
}

export interface TestWorkspace {
  id: string
  slug: string
  brain_id: string
  api_key: string
  client: ApiClient
  /** Creates another key for the same workspace. */
  as(actor: string, groups?: string[]): Promise<ApiClient>
  /** Creates a key for the same workspace that is bound to brains. */
  boundTo(...brainIds: string[]): Promise<ApiClient>
  /** Creates a key for the same workspace that has only these permissions. */
  permittedTo(...permissions: Permission[]): Promise<ApiClient>
  /** Creates a service key for the same workspace. */
  ownedBy(owner: string, name?: string): Promise<ApiClient>
  newBrain(): Promise<string>
  /** Returns the text of another key for the same workspace. */
  newKey(fields?: {
    name?: string
    actor?: string
    owner?: string
    groups?: string[]
    permissions?: Permission[]
    brain_ids?: string[]
  }): Promise<string>
}

export interface StackOptions {
  env?: Record<string, string>
  /** Separate components, for tests that stop them. */
  components?: Record<string, string>
  /** Settings for the API only. */
  apiEnv?: Record<string, string>
}

/** Starts a stack with a separate database and task queue. */
export async function startStack(options: StackOptions = {}): Promise<Stack> {
  const database = await createTestDatabase(10, { ...readEnvironment(), ...options.components })
  const env = await buildEnvironment(database, options)
  const startApi = () => startProcess('api/main.ts', { ...env, ...options.apiEnv }, () => answers(env.BASE_URL ?? ''))
  const startWorker = () => startProcess('activities/worker.ts', env, output => output.includes('"worker is ready"'))
  const [api, worker] = await Promise.all([startApi(), startWorker()])
  const stack: Stack = {
    ...connect(env, database),
    database,
    api,
    worker,
    restartApi: async () => void (stack.api = await startApi()),
    restartWorker: async () => {
      const previous = stack.worker
      stack.worker = await startWorker()
      await previous.end()
    },
    killApi: async () => {
      await stack.api.end('SIGKILL')
      await stack.restartApi()
    },
    killWorker: async () => {
      await stack.worker.end('SIGKILL')
      await stack.restartWorker()
    },
    stop: async () => {
      await Promise.all([stack.api.end(), stack.worker.end()])
      await Promise.all([database.drop(), dropIndices(env)])
    },
  }
  return stack
}

/** Connects to the stack that all test files with the same options share. The first call starts it. */
export async function connectSharedStack(options: Pick<StackOptions, 'env'> = {}): Promise<ConnectedStack> {
  const response = await fetch(readEnvironment()['SHARED_URL'] ?? '', { method: 'POST', body: JSON.stringify(options) })
  if (!response.ok) throw new Error(await response.text())
  const env = (await response.json()) as Record<string, string>
  const db = openDatabase({ DATABASE_URL: env.DATABASE_URL ?? '', DATABASE_POOL: 5 })
  return { ...connect(env, { db }), stop: () => db.close() }
}

function connect(
  env: Record<string, string>,
  database: Pick<TestDatabase, 'db'>,
): Pick<ConnectedStack, 'baseUrl' | 'env' | 'database' | 'workspace'> {
  const admin = createAccessAdmin({ db: database.db, secret: env.API_KEY_SECRET ?? '' })
  const members = createMembers({ db: database.db })
  /** The role of an existing member is kept. */
  const addMember = async (workspace_id: string, actor: string) => {
    const member = await database.db.inWorkspace(workspace_id, tx => findMember(tx, actor))
    if (!member) await members.save({ workspace_id, ...OPERATOR }, { actor, role: 'admin' })
  }
  const baseUrl = env.BASE_URL ?? ''
  return {
    baseUrl,
    env,
    database,
    workspace: async (key, slug = `w-${randomBytes(5).toString('hex')}`) => {
      const { id, brain_id } = await admin.createWorkspace({ name: slug, slug })
      const newKey = async (fields: Partial<Parameters<typeof admin.createApiKey>[1]> = {}) => {
        const person = fields.actor ?? fields.owner
        if (person !== undefined) await addMember(id, person)
        return (await admin.createApiKey(slug, { name: 'test', ...fields })).api_key
      }
      const api_key = await newKey(key)
      const as = async (actor: string, groups?: string[]) => createClient(baseUrl, await newKey({ actor, groups }))
      const boundTo = async (...brain_ids: string[]) =>
        createClient(baseUrl, await newKey({ actor: 'user:ann', brain_ids }))
      const permittedTo = async (...permissions: Permission[]) =>
        createClient(baseUrl, await newKey({ actor: 'user:ann', permissions }))
      const ownedBy = async (owner: string, name = 'robot') => createClient(baseUrl, await newKey({ name, owner }))
      const newBrain = async () => (await admin.createBrain(slug, { name: 'Another brain' })).id
      return {
        id,
        slug,
        brain_id,
        api_key,
        client: createClient(baseUrl, api_key),
        as,
        boundTo,
        permittedTo,
        ownedBy,
        newBrain,
        newKey,
      }
    },
  }
}

/** Returns the settings for an API and a worker with their own task queue, index and port. */
export async function buildEnvironment(
  database: Pick<TestDatabase, 'url' | 'adminUrl'>,
  { env, components }: StackOptions = {},
): Promise<Record<string, string>> {
  const port = await nextFree()
  const variables = {
    ...(readEnvironment() as Record<string, string>),
    ...components,
    DATABASE_URL: database.url,
    DATABASE_ADMIN_URL: database.adminUrl,
    SEARCH_INDEX: `test-${randomBytes(6).toString('hex')}`,
    TEMPORAL_TASK_QUEUE: `test-${randomBytes(6).toString('hex')}`,
    PORT: String(port),
    BASE_URL: `http://127.0.0.1:${port}`,
    LOG_LEVEL: 'info',
    SHUTDOWN_SECONDS: '5',
    // All test files send requests from one address, faster than people do.
    ADDRESS_REQUESTS_PER_MINUTE: '1000000',
    PLANS: JSON.stringify({ standard: { requests_per_minute: 1_000_000 } }),
    OUTBOUND_ALLOW: '127.0.0.0/8,::1/128',
  }
  return { ...variables, ...env }
}

/** Drops the search index that the worker created. */
export async function dropIndices(env: Record<string, string>): Promise<void> {
  const config = readConfig(env)
  const embedder = openEmbedder(config)
  const search = openConfiguredSearch(config, embedder)
  // After a test that stops Elasticsearch, there is no index to drop.
  for (const index of search ? [search, search.versions] : [])
    for (const { name } of await index.listIndices().catch(() => [])) await index.dropIndex(name)
  await Promise.all([search?.close(), embedder.close()])
}

export async function answers(baseUrl: string): Promise<boolean> {
  const response = await fetch(`${baseUrl}/v1/health/live`).catch(() => undefined)
  return response?.ok === true
}
