import { identify } from '../machine/process-table.ts'
import { isRunning } from '../machine/process.ts'
import type { ProcessId } from '../machine/process.ts'
import { changeState } from './state.ts'

/** Says that this command uses what runs in a home, so that no other one stops it at its own end. */
export function hold(home: string): void {
  changeState(home, state => {
    state.holders = [...state.holders.filter(holder => isRunning(holder) && holder.pid !== process.pid), ...myself()]
  })
}

/** Takes this command's name off. Gives those that still use what runs. */
export function release(home: string): ProcessId[] {
  const state = changeState(home, current => {
    current.holders = current.holders.filter(holder => isRunning(holder) && holder.pid !== process.pid)
  })
  return state.holders
}

const myself = (): ProcessId[] => [identify(process.pid) ?? []].flat()
