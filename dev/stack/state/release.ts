import { isWorker } from '../apps.ts'
import { endEntry } from '../entries.ts'
import { releaseLease } from './leases.ts'
import { withLock } from './lock.ts'
import type { Log } from '../log.ts'
import { readState } from './state.ts'

/** Returns true for processes that must end before the components that they use. */
const isApp = (name: string): boolean => name === 'api' || name === 'payments' || isWorker(name)

/**
 * Releases this command's use of the stack. Unless another command holds a lease, stops everything that must not
 * outlive the commands.
 */
export function releaseStack(stateDir: string, log: Log): Promise<void> {
  return withLock(
    stateDir,
    message => log('ganglion', message),
    async () => {
      if (releaseLease(stateDir).length > 0) {
        log('ganglion', 'left running, because another command still uses it')
        return
      }
      const passing = Object.entries(readState(stateDir).running).filter(([, entry]) => !entry.stays)
      await endEntries(
        stateDir,
        passing.map(([name]) => name),
        log,
      )
    },
  )
}

/** Stops the API, the workers and the sample endpoint first, and then the components. */
export async function endEntries(stateDir: string, names: string[], log: Log): Promise<void> {
  for (const group of [names.filter(isApp), names.filter(name => !isApp(name))]) {
    if (group.length > 0) log('ganglion', `stopping ${group.join(', ')}`)
    await Promise.all(group.map(name => endEntry(stateDir, name, 'stop')))
  }
}
