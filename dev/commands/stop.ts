import { setTimeout as sleep } from 'node:timers/promises'
import { isRunning } from '../machine/process.ts'
import { openStateDir } from '../stack/state/state-dir.ts'
import { STATE_DIR } from '../stack/stack.ts'
import { endEntries } from '../stack/state/release.ts'
import { withLock } from '../stack/state/lock.ts'
import { logLine } from '../stack/log.ts'
import { readState } from '../stack/state/state.ts'
import type { Command } from './command.ts'

const PATIENCE_MS = 60_000

/** `npm stop`: ends the commands that use the stack, then stops everything that was started from this checkout. */
export const stop: Command = async () => {
  openStateDir(STATE_DIR)
  const endedCount = await endCommands()
  await withLock(
    STATE_DIR,
    message => logLine('ganglion', message),
    async () => {
      const names = Object.keys(readState(STATE_DIR).running)
      await endEntries(STATE_DIR, names, logLine)
      process.stdout.write(names.length + endedCount > 0 ? 'Stopped.\n' : 'Nothing is running.\n')
    },
  )
  return 0
}

/** Ends the commands that use the stack. Returns how many there were. */
async function endCommands(): Promise<number> {
  const leases = readState(STATE_DIR).leases.filter(isRunning)
  for (const { pid } of leases) process.kill(pid, 'SIGTERM')
  const deadline = Date.now() + PATIENCE_MS
  while (leases.some(isRunning) && Date.now() < deadline) await sleep(100)
  return leases.length
}
