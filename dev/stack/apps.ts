import { Connection } from '@temporalio/client'
import { lastPollAt } from '../../services/task-queue.ts'
import { CHECKOUT } from '../machine/folders.ts'
import type { Launch } from '../machine/process.ts'
import { endEntry, rememberEntry, stillRunning } from './entries.ts'
import type { Home } from './home.ts'
import type { Log } from './log.ts'
import { startNative } from './native.ts'
import { readState } from './state.ts'

/** A process of the house itself. */
export interface App {
  name: string
  script: string
  env: Record<string, string>
  /** Throws while it does not do its work. */
  check(since: Date): Promise<void>
}

export interface AppDeps {
  home: Home
  log: Log
  stays: boolean
}

const CHECK_MS = 3000
const READY_SECONDS = 60

/** The API at its port, and the worker. */
export function houseApps(env: Record<string, string>, port: number): App[] {
  const base = `http://127.0.0.1:${port}`
  return [
    {
      name: 'api',
      script: 'api/main.ts',
      env: { ...env, PORT: String(port), BASE_URL: base },
      check: () => answers(`${base}/v1/health`),
    },
    { name: 'worker', script: 'activities/worker.ts', env, check: since => polls(env, since) },
  ]
}

/** Starts those that do not run, and waits until they do their work. Throws when one fails, with none still starting. */
export async function startApps(apps: App[], deps: AppDeps): Promise<void> {
  const running = stillRunning(readState(deps.home.folder))
  const missing = apps.filter(app => !running.has(app.name))
  const outcomes = await Promise.allSettled(missing.map(app => startApp(app, deps)))
  const failed = outcomes.find(outcome => outcome.status === 'rejected')
  if (failed) throw failed.reason
}

export async function startApp(app: App, { home, log, stays }: AppDeps): Promise<void> {
  const since = new Date()
  const spec: Launch = {
    command: process.execPath,
    args: ['--enable-source-maps', app.script],
    cwd: CHECKOUT,
    env: app.env,
  }
  await endEntry(home.folder, app.name, 'kill')
  await startNative({
    name: app.name,
    logs: home.logs,
    launch: spec,
    check: () => app.check(since),
    readySeconds: READY_SECONDS,
    onProcess: process => rememberEntry(home.folder, app.name, { how: 'native', process, env: {}, stays }),
  })
  log(app.name, `ready after ${((Date.now() - since.getTime()) / 1000).toFixed(1)} s`)
}

/** Throws unless the URL answers with a 2xx status. */
export async function answers(url: string): Promise<void> {
  const response = await fetch(url, { signal: AbortSignal.timeout(CHECK_MS) })
  await response.body?.cancel()
  if (!response.ok) throw new Error(`${url} answers ${response.status}`)
}

/** Throws unless a worker has asked Temporal for work since then. */
async function polls(env: Record<string, string>, since: Date): Promise<void> {
  const connection = await Connection.connect({ address: env['TEMPORAL_ADDRESS'], connectTimeout: CHECK_MS })
  try {
    const queue = {
      namespace: env['TEMPORAL_NAMESPACE'] ?? 'default',
      taskQueue: env['TEMPORAL_TASK_QUEUE'] ?? 'ganglion',
    }
    const seen = await lastPollAt(connection, queue)
    if (seen < since.getTime() - 1000) throw new Error('the worker does not ask Temporal for work yet')
  } finally {
    await connection.close()
  }
}
