import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { startModelServer } from '../../support/agents/model-server.ts'
import { type OwnComponents, startOwnComponents } from '../../faults/support/own-components.ts'
import { type Ledger, startLedger } from '../../support/shared/ledger.ts'
import { type Stack, startStack, type TestWorkspace } from '../../support/stack/stack.ts'
import { untilRecovered } from './backups.ts'
import type { ReconcileReport } from '../../../services/runs/reconcile/report.ts'

const ROOT = join(import.meta.dirname, '../../..')
const COMMAND_MS = 300_000

/** A separate installation, with Temporal on Postgres as in production. */
export interface Site {
  stack: Stack
  workspace: TestWorkspace
  ledger: Ledger
  /** Postgres with the service's database, Redis, Elasticsearch and the embedding model. */
  components: OwnComponents
  /** The components with Temporal and its Postgres. The same as `components` if they share a cluster. */
  temporal: OwnComponents
  /** Kills every process. */
  killAll(): Promise<void>
  /** Deletes the data of a component that is not running. */
  lose(name: 'redis' | 'elasticsearch'): void
  /** Starts the components again. Postgres must be restored. */
  startComponents(): Promise<void>
  startApps(): Promise<void>
  /** Runs a `ganglion-admin` command. Returns its output, even if it exits with 1. */
  admin(...args: string[]): Promise<string>
  migrate(): Promise<void>
  reconcile(...args: string[]): Promise<ReconcileReport>
  close(): Promise<void>
}

const newKey = () => randomBytes(32).toString('base64')

/** @param clusters 2: Temporal has its own Postgres cluster, so that both can be restored to different times. */
export async function createSite(clusters: 1 | 2): Promise<Site> {
  const own = ['postgres', 'redis', 'elasticsearch', 'embeddings'] as const
  const components = await startOwnComponents(...own, ...(clusters === 1 ? (['temporal'] as const) : []))
  const temporal = clusters === 1 ? components : await startOwnComponents('postgres', 'temporal')
  const sets = [...new Set([components, temporal])]
  const [ledger, model] = await Promise.all([startLedger(), startModelServer()])
  const { TEMPORAL_ADDRESS = '', TEMPORAL_NAMESPACE = '' } = temporal.env
  const keys = {
    EVIDENCE_KEYS: JSON.stringify({ first: newKey() }),
    EVIDENCE_KEY_ID: 'first',
    SECRETS_ENCRYPTION_KEYS: JSON.stringify({ first: newKey() }),
    SECRETS_ENCRYPTION_KEY_ID: 'first',
    TEMPORAL_ENCRYPTION_KEYS: JSON.stringify({ first: newKey() }),
    TEMPORAL_ENCRYPTION_KEY_ID: 'first',
  }
  const stack = await startStack({
    components: { ...components.env, TEMPORAL_ADDRESS, TEMPORAL_NAMESPACE },
    env: { ...keys, MODEL_BASE_URL: model.base_url, MODEL_DEFAULT: 'scripted' },
  }).catch(async (error: unknown) => {
    await Promise.all(sets.map(set => set.discard()))
    throw error
  })
  const workspace = await stack.workspace({ actor: 'user:ann' })

  const node = (args: string[]): Promise<string> =>
    new Promise((resolve, reject) => {
      const env = { PATH: process.env.PATH, HOME: process.env.HOME, ...stack.env }
      const options = { cwd: ROOT, env, timeout: COMMAND_MS, maxBuffer: 64 * 1024 * 1024 }
      execFile(process.execPath, args, options, (error, stdout, stderr) => {
        if (error && (error.code !== 1 || stdout === '')) reject(new Error(`${args.join(' ')}: ${stderr}`))
        else resolve(stdout)
      })
    })
  const admin = (...args: string[]) => node(['api/admin.ts', ...args])

  const site: Site = {
    stack,
    workspace,
    ledger,
    components,
    temporal,
    killAll: async () => {
      await Promise.all([
        stack.api.end('SIGKILL'),
        stack.worker.end('SIGKILL'),
        temporal.kill('temporal'),
        components.kill('redis'),
        components.kill('elasticsearch'),
        ...sets.map(set => set.kill('postgres')),
      ])
    },
    lose: name => rmSync(components.dataOf(name), { recursive: true, force: true }),
    startComponents: async () => {
      await Promise.all(sets.map(set => set.startOne('postgres')))
      // Temporal and the migrations need to write.
      await Promise.all(sets.map(untilRecovered))
      await Promise.all([
        temporal.startOne('temporal'),
        components.startOne('redis'),
        components.startOne('elasticsearch'),
      ])
    },
    startApps: async () => {
      await Promise.all([stack.restartApi(), stack.restartWorker()])
    },
    admin,
    migrate: async () => void (await admin('migrate')),
    reconcile: async (...args) => JSON.parse(await admin('reconcile', '--json', ...args)) as ReconcileReport,
    close: async () => {
      await stack.stop()
      await Promise.all([ledger.close(), model.close(), ...sets.map(set => set.discard())])
    },
  }
  return site
}
