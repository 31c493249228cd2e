import type { Tx } from '../../../data/shared/database.ts'
import { createAccessAdmin } from '../../../services/access/admin.ts'
import { createTestDatabase } from '../../support/stack/database.ts'
import { startProcess } from '../../support/stack/process.ts'
import { readEnvironment } from '../../../config/environment.ts'
import { createBenchClient } from '../support/client.ts'
import { seedSpine } from './seed.ts'
import { nextFree } from '../../../dev/machine/ports.ts'

/** The API with a full workspace, and direct access to the same database. */
export interface TestContext {
  brain_id: string
  send<T>(method: 'GET' | 'POST', path: string, body?: object): Promise<T>
  inWorkspace<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  samples(full: number): number
  close(): Promise<void>
}

const SLUG = 'bench'

/** No worker runs, so search entries stay queued and indexing does not affect the measurement. */
export async function openPlace({ quick, profile }: { quick: boolean; profile?: string }): Promise<TestContext> {
  const database = await createTestDatabase()
  const port = await nextFree()
  const baseUrl = `http://127.0.0.1:${port}`
  const profiling: Record<string, string> = profile ? { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${profile}` } : {}
  const here = { DATABASE_URL: database.url, PORT: String(port), BASE_URL: baseUrl, LOG_LEVEL: 'warn', ...profiling }
  const env: Record<string, string> = { ...(readEnvironment() as Record<string, string>), ...here }
  const api = await startProcess('api/main.ts', env, () => answers(baseUrl)).catch(async (error: unknown) => {
    await database.drop()
    throw error
  })
  const close = async () => {
    await api.end()
    await database.drop()
  }
  try {
    const admin = createAccessAdmin({ db: database.db, secret: env.API_KEY_SECRET ?? '' })
    const { id, brain_id } = await admin.createWorkspace({ name: SLUG, slug: SLUG })
    await seedSpine(database.adminUrl, { id, brain_id })
    const { api_key } = await admin.createApiKey(SLUG, { name: 'bench' })
    const { ganglion, close: disconnect } = createBenchClient(baseUrl, api_key)
    return {
      brain_id,
      send: (method, path, body) => ganglion.request(method, path, { body }),
      inWorkspace: work => database.db.inWorkspace(id, work),
      samples: full => (quick ? Math.ceil(full / 4) : full),
      close: async () => {
        await disconnect()
        await close()
      },
    }
  } catch (error) {
    await close()
    throw error
  }
}

async function answers(baseUrl: string): Promise<boolean> {
  const response = await fetch(`${baseUrl}/v1/health/live`).catch(() => undefined)
  return response?.ok === true
}
