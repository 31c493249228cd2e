import { setTimeout as sleep } from 'node:timers/promises'
import { isRunning } from '../machine/process.ts'
import { openHome } from '../stack/home.ts'
import { HOME } from '../stack/house.ts'
import { endEntries } from '../stack/leave.ts'
import { withLock } from '../stack/lock.ts'
import { logLine } from '../stack/log.ts'
import { readState } from '../stack/state.ts'
import type { Command } from './command.ts'

const PATIENCE_MS = 60_000

/** Ends the commands that serve, then all that this checkout started. */
export const stop: Command = async () => {
  openHome(HOME)
  const ended = await endHolders()
  await withLock(
    HOME,
    message => logLine('ganglion', message),
    async () => {
      const names = Object.keys(readState(HOME).running)
      await endEntries(HOME, names, logLine)
      process.stdout.write(names.length + ended > 0 ? 'Stopped.\n' : 'Nothing was running.\n')
    },
  )
  return 0
}

/** Ends commands that serve, with what they started; gives their number. */
async function endHolders(): Promise<number> {
  const holders = readState(HOME).holders.filter(isRunning)
  for (const holder of holders) process.kill(holder.pid, 'SIGTERM')
  const deadline = Date.now() + PATIENCE_MS
  while (holders.some(isRunning) && Date.now() < deadline) await sleep(100)
  return holders.length
}
