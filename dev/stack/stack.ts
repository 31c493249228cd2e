import { join } from 'node:path'
import { ensureFrontends } from '../console/build.ts'
import { CHECKOUT } from '../machine/folders.ts'
import { createApps, startApps } from './apps.ts'
import type { App } from './apps.ts'
import { openStateDir } from './state/state-dir.ts'
import { logLine } from './log.ts'
import { migrate } from './migrate.ts'
import { portsFromEnvironment } from './port-choice.ts'
import { startComponents } from './components.ts'
import type { Components } from './components.ts'

/** The state directory that `npm start`, `npm test` and `npm run demo` use. */
export const STATE_DIR = join(CHECKOUT, '.ganglion')

export interface DevStack extends Components {
  baseUrl: string
  apps: App[]
}

export interface CommandOptions {
  /** If true, the stack keeps running after the command ends. */
  stays: boolean
  interrupted: AbortSignal
}

export interface StackOptions extends CommandOptions {
  /** Number of worker processes. Default: one. */
  workers?: number
}

/** Starts the components for an npm command. Ports and URLs come from the environment. */
export function commandComponents({ stays, interrupted }: CommandOptions): Promise<Components> {
  return startComponents({
    stateDir: STATE_DIR,
    ports: portsFromEnvironment(process.env),
    log: logLine,
    stays,
    interrupted,
  })
}

/**
 * Starts everything needed to serve: the components, the migrated database, the built console and widget, the API and the
 * workers. Parts that are already running are not restarted. An interrupt takes effect between two steps. Processes
 * that were started by then are recorded in the state.
 */
export async function startStack(options: StackOptions): Promise<DevStack> {
  const { stays, interrupted, workers } = options
  const stack = await commandComponents(options)
  interrupted.throwIfAborted()
  await Promise.all([migrate(stack.env, logLine), ensureFrontends(logLine)])
  interrupted.throwIfAborted()
  const apps = createApps(stack.env, stack.ports.api, workers)
  await startApps(apps, { stateDir: openStateDir(STATE_DIR), log: logLine, stays })
  interrupted.throwIfAborted()
  return { ...stack, apps, baseUrl: `http://127.0.0.1:${stack.ports.api}` }
}
