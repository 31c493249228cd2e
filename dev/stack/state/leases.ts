import { identify } from '../../machine/process-table.ts'
import { isRunning } from '../../machine/process.ts'
import type { ProcessId } from '../../machine/process.ts'
import { changeState } from './state.ts'

/** Records that this command uses the stack, so that other commands don't stop the stack when they end. */
export function acquireLease(stateDir: string): void {
  changeState(stateDir, state => {
    state.leases = [...state.leases.filter(isRunningOther), ...myself()]
  })
}

/** Removes the lease of this command. Returns the leases of other commands that are still running. */
export function releaseLease(stateDir: string): ProcessId[] {
  const state = changeState(stateDir, current => {
    current.leases = current.leases.filter(isRunningOther)
  })
  return state.leases
}

const isRunningOther = (lease: ProcessId): boolean => isRunning(lease) && lease.pid !== process.pid
const myself = (): ProcessId[] => [identify(process.pid) ?? []].flat()
