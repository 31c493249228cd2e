import { isWorker } from '../apps.ts'
import { endEntry } from '../entries.ts'
import { releaseLease } from './leases.ts'
import { withLock } from './lock.ts'
import type { Log } from '../log.ts'
import { readState } from './state.ts'

/** Holds for processes that end before the components they use. */
const isApp = (name: string): boolean => name === 'api' || name === 'payments' || isWorker(name)

/** Ends a command's use of the stack: stops what must not outlive its commands, unless another command holds a lease. */
export function releaseStack(stateDir: string, log: Log): Promise<void> {
  return withLock(
    stateDir,
    message => log('ganglion', message),
    async () => {
      if (releaseLease(stateDir).length > 0) {
        log('ganglion', 'another command still uses what runs: left running')
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

/** Stops API, workers and demo endpoint, then the components. */
export async function endEntries(stateDir: string, names: string[], log: Log): Promise<void> {
  for (const group of [names.filter(isApp), names.filter(name => !isApp(name))]) {
    if (group.length > 0) log('ganglion', `stopping ${group.join(', ')}`)
    await Promise.all(group.map(name => endEntry(stateDir, name, 'stop')))
  }
}
