import { answers } from '../stack/apps.ts'
import { demoCredentials } from '../stack/credentials.ts'
import { stillRunning } from '../stack/entries.ts'
import { hold } from '../stack/holders.ts'
import { openHome } from '../stack/home.ts'
import { HOME, startHouse } from '../stack/house.ts'
import { keepAlive } from '../stack/keep-alive.ts'
import { leave } from '../stack/leave.ts'
import { logLine } from '../stack/log.ts'
import { readState } from '../stack/state.ts'
import type { Command } from './command.ts'
import { untilInterrupted } from './interrupt.ts'
import { welcome } from './welcome.ts'

/** Starts everything and serves until it is asked to end; then stops all it started. */
export const start: Command = async () => {
  openHome(HOME)
  const base = await servingAt()
  if (base) {
    process.stdout.write(`Already running at ${base}. "npm run status" shows it, "npm stop" ends it.\n`)
    return 0
  }
  const interrupted = untilInterrupted()
  hold(HOME)
  try {
    const house = await startHouse({ stays: false, interrupted })
    await demoCredentials(HOME, house)
    process.stdout.write(welcome(house))
    await keepAlive(HOME, house.apps, logLine, interrupted)
    return 0
  } finally {
    await leave(HOME, logLine)
  }
}

/** The address of a running API of this checkout that can accept runs, with a worker beside it. */
async function servingAt(): Promise<string | undefined> {
  const state = readState(HOME)
  const running = stillRunning(state)
  if (!running.has('api') || !running.has('worker')) return undefined
  const base = `http://127.0.0.1:${state.ports['api']}`
  return answers(`${base}/v1/health`).then(
    () => base,
    () => undefined,
  )
}
