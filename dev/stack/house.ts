import { join } from 'node:path'
import { CHECKOUT } from '../machine/folders.ts'
import { houseApps, startApps } from './apps.ts'
import type { App } from './apps.ts'
import { openHome } from './home.ts'
import { logLine } from './log.ts'
import { migrate } from './migrate.ts'
import { portsFromEnvironment } from './port-choice.ts'
import { startComponents } from './stack.ts'
import type { Stack } from './stack.ts'

/** The home of what `npm start`, `npm test` and `npm run demo` run. */
export const HOME = join(CHECKOUT, '.ganglion')

export interface House extends Stack {
  baseUrl: string
  apps: App[]
}

export interface CommandOptions {
  /** True: it goes on after the command. */
  stays: boolean
  interrupted: AbortSignal
}

/** Components for a command of npm, with ports and URLs as the environment says. */
export function commandComponents({ stays, interrupted }: CommandOptions): Promise<Stack> {
  return startComponents({ home: HOME, ports: portsFromEnvironment(process.env), log: logLine, stays, interrupted })
}

/**
 * Everything that serves: components, migrated database, API and worker. What runs already is left as it is.
 * An interrupt ends it between two steps, with what was started recorded in the state.
 */
export async function startHouse(options: CommandOptions): Promise<House> {
  const { stays, interrupted } = options
  const stack = await commandComponents(options)
  interrupted.throwIfAborted()
  await migrate(stack.env, logLine)
  interrupted.throwIfAborted()
  const apps = houseApps(stack.env, stack.ports.api)
  await startApps(apps, { home: openHome(HOME), log: logLine, stays })
  interrupted.throwIfAborted()
  return { ...stack, apps, baseUrl: `http://127.0.0.1:${stack.ports.api}` }
}
