import { join } from 'node:path'
import { Connection } from '@temporalio/client'
import { lastPollAt } from '../../services/shared/task-queue.ts'
import { CHECKOUT } from '../machine/folders.ts'
import type { Launch } from '../machine/process.ts'
import { endEntry, rememberEntry, stillRunning } from './entries.ts'
import type { StateDir } from './state/state-dir.ts'
import type { Log } from './log.ts'
import { startNative } from './native.ts'
import { readState } from './state/state.ts'

/** A Ganglion process: the API, a worker, or the demo's sample endpoint. */
export interface App {
  name: string
  script: string
  /** Source files that the process loads without importing them, such as the entry of the workflow bundle. */
  loads?: string[]
  env: Record<string, string>
  /** Throws if the process is not ready. */
  check(since: Date): Promise<void>
}

export interface AppDeps {
  stateDir: StateDir
  log: Log
  stays: boolean
}

const BUNDLE_CACHE = join(CHECKOUT, 'build/webpack-cache')
const CHECK_MS = 3000
const READY_SECONDS = 60

/** Builds the API, which listens on this port, and the workers. */
export function createApps(env: Record<string, string>, port: number, workers = 1): App[] {
  const base = `http://127.0.0.1:${port}`
  const api: App = {
    name: 'api',
    script: 'api/main.ts',
    env: { ...env, PORT: String(port), BASE_URL: base },
    check: () => answers(`${base}/v1/health/live`),
  }
  return [api, ...Array.from({ length: workers }, (_, i) => createWorker({ ...env, BASE_URL: base }, i))]
}

const WORKER = 'worker'
/** Returns true for a worker name: `worker`, `worker-2`, … */
export const isWorker = (name: string): boolean => name === WORKER || name.startsWith(`${WORKER}-`)

/** Each process serves metrics and health checks on its own ports. Additional workers use the next ports. */
function createWorker(env: Record<string, string>, index: number): App {
  const ports = ['WORKER_METRICS_PORT', 'WORKER_HEALTH_PORT'].map(
    name => [name, Number({ ...process.env, ...env }[name] ?? 0)] as const,
  )
  return {
    name: index === 0 ? WORKER : `${WORKER}-${index + 1}`,
    script: 'activities/worker.ts',
    loads: ['workflows/index.ts', 'workflows/shared/interceptors.ts'],
    env: {
      ...env,
      WORKFLOW_BUNDLE_CACHE: BUNDLE_CACHE,
      ...Object.fromEntries(ports.filter(([, port]) => port > 0).map(([name, port]) => [name, String(port + index)])),
    },
    check: since => polls(env, since),
  }
}

/**
 * Starts the apps that are not running, and resolves when all are ready. If one fails, stops those that are still
 * starting and throws.
 */
export async function startApps(apps: App[], deps: AppDeps): Promise<void> {
  const running = stillRunning(readState(deps.stateDir.folder))
  const missing = apps.filter(app => !running.has(app.name))
  const outcomes = await Promise.allSettled(missing.map(app => startApp(app, deps)))
  const failed = outcomes.find(outcome => outcome.status === 'rejected')
  if (failed) throw failed.reason
}

export async function startApp(app: App, { stateDir, log, stays }: AppDeps): Promise<void> {
  const since = new Date()
  const spec: Launch = {
    command: process.execPath,
    args: [app.script],
    cwd: CHECKOUT,
    env: app.env,
  }
  await endEntry(stateDir.folder, app.name, 'kill')
  await startNative({
    name: app.name,
    logs: stateDir.logs,
    launch: spec,
    check: () => app.check(since),
    readySeconds: READY_SECONDS,
    onProcess: process => rememberEntry(stateDir.folder, app.name, { how: 'native', process, env: {}, stays }),
  })
  log(app.name, `ready after ${((Date.now() - since.getTime()) / 1000).toFixed(1)} s`)
}

/** Throws unless the URL responds with a 2xx status code. */
export async function answers(url: string): Promise<void> {
  const response = await fetch(url, { signal: AbortSignal.timeout(CHECK_MS) })
  await response.body?.cancel()
  if (!response.ok) throw new Error(`${url} returned ${response.status}`)
}

/** Throws unless a worker has polled Temporal since this time. */
async function polls(env: Record<string, string>, since: Date): Promise<void> {
  const connection = await Connection.connect({ address: env['TEMPORAL_ADDRESS'], connectTimeout: CHECK_MS })
  try {
    const queue = {
      namespace: env['TEMPORAL_NAMESPACE'] ?? 'default',
      taskQueue: env['TEMPORAL_TASK_QUEUE'] ?? 'ganglion',
    }
    const lastPoll = await lastPollAt(connection, queue)
    if (lastPoll < since.getTime()) throw new Error('the worker does not poll Temporal yet')
  } finally {
    await connection.close()
  }
}
