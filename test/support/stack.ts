import { randomBytes } from 'node:crypto'
import { readEnvironment } from '../../config/environment.ts'
import { readConfig } from '../../config/config.ts'
import { openEmbedder } from '../../search/embedding/embedder.ts'
import { searchOf } from '../../search/search.ts'
import { createAccessAdmin } from '../../services/access/admin.ts'
import { type ApiClient, createClient } from './client.ts'
import { createTestDatabase, type TestDatabase } from './database.ts'
import { freePort, startProcess, type TestProcess } from './process.ts'

/** The product as it runs: API and worker as processes of their own, on the real components. */
export interface Stack {
  baseUrl: string
  env: Record<string, string>
  database: TestDatabase
  api: TestProcess
  worker: TestProcess
  restartApi(): Promise<void>
  restartWorker(): Promise<void>
  /** A workspace of its own, with a brain and a key. */
  workspace(key?: { actor?: string; groups?: string[] }): Promise<TestWorkspace>
  stop(): Promise<void>
}

export interface TestWorkspace {
  id: string
  slug: string
  brain_id: string
  api_key: string
  client: ApiClient
  /** Another key of the same workspace. */
  as(actor: string, groups?: string[]): Promise<ApiClient>
}

export interface StackOptions {
  env?: Record<string, string>
  /** Components of its own, for tests that stop them. */
  components?: Record<string, string>
}

/** Starts a stack on a database and a task queue of its own. */
export async function startStack(options: StackOptions = {}): Promise<Stack> {
  const database = await createTestDatabase(10, { ...readEnvironment(), ...options.components })
  const env = await environmentOf(database, options)
  const startApi = () => startProcess('api/main.ts', env, () => answers(env.BASE_URL ?? ''))
  const startWorker = () => startProcess('activities/worker.ts', env, output => output.includes('"worker is ready"'))
  const [api, worker] = await Promise.all([startApi(), startWorker()])
  const admin = createAccessAdmin({ db: database.db, secret: env.API_KEY_SECRET ?? '' })
  const baseUrl = env.BASE_URL ?? ''
  const stack: Stack = {
    baseUrl,
    env,
    database,
    api,
    worker,
    restartApi: async () => void (stack.api = await startApi()),
    restartWorker: async () => void (stack.worker = await startWorker()),
    workspace: async key => {
      const slug = `w-${randomBytes(5).toString('hex')}`
      const { id, brain_id } = await admin.createWorkspace({ name: slug, slug })
      const newKey = async (fields: { actor?: string; groups?: string[] } = {}) =>
        (await admin.createApiKey(slug, { name: 'test', ...fields })).api_key
      const api_key = await newKey(key)
      const as = async (actor: string, groups?: string[]) => createClient(baseUrl, await newKey({ actor, groups }))
      return { id, slug, brain_id, api_key, client: createClient(baseUrl, api_key), as }
    },
    stop: async () => {
      await Promise.all([stack.api.end(), stack.worker.end()])
      await Promise.all([database.drop(), dropIndices(env)])
    },
  }
  return stack
}

async function environmentOf(
  database: TestDatabase,
  { env, components }: StackOptions,
): Promise<Record<string, string>> {
  const port = await freePort()
  const own = {
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
    OUTBOUND_ALLOW: '127.0.0.0/8,::1/128',
  }
  return { ...own, ...env }
}

/** The search index that the worker has made. */
async function dropIndices(env: Record<string, string>): Promise<void> {
  const config = readConfig(env)
  const embedder = openEmbedder(config)
  const search = searchOf(config, embedder)
  // A test that stops Elasticsearch leaves nothing that could be dropped.
  const indices = (await search?.listIndices().catch(() => [])) ?? []
  for (const { name } of indices) await search?.dropIndex(name)
  await Promise.all([search?.close(), embedder.close()])
}

async function answers(baseUrl: string): Promise<boolean> {
  const response = await fetch(`${baseUrl}/v1/health/live`).catch(() => undefined)
  return response?.ok === true
}
