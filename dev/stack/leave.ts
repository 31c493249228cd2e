import { endEntry } from './entries.ts'
import { release } from './holders.ts'
import { withLock } from './lock.ts'
import type { Log } from './log.ts'
import { readState } from './state.ts'

/** The house's own processes: they end before the components they use. */
const APPS = new Set(['api', 'worker', 'payments'])

/** The end of a command: stops what only commands of its kind kept alive, unless another one still uses it. */
export function leave(home: string, log: Log): Promise<void> {
  return withLock(
    home,
    message => log('ganglion', message),
    async () => {
      if (release(home).length > 0) {
        log('ganglion', 'another command still uses what runs: left running')
        return
      }
      const passing = Object.entries(readState(home).running).filter(([, entry]) => !entry.stays)
      await endEntries(
        home,
        passing.map(([name]) => name),
        log,
      )
    },
  )
}

/** Stops the processes of the house, then the components. */
export async function endEntries(home: string, names: string[], log: Log): Promise<void> {
  for (const group of [names.filter(name => APPS.has(name)), names.filter(name => !APPS.has(name))]) {
    if (group.length > 0) log('ganglion', `stopping ${group.join(', ')}`)
    await Promise.all(group.map(name => endEntry(home, name, 'stop')))
  }
}
