import { CancellationScope, setHandler } from '@temporalio/workflow'
import type { WaitingFor } from '../../domain/jobs.ts'
import {
  childSignal,
  inputUpdate,
  pauseSignal,
  resumeSignal,
  type RunState,
  stateQuery,
  turnSignal,
} from './messages.ts'
import type { People } from './people.ts'
import { shielded } from './shielded.ts'

/** A run that people and other runs have their say in. */
interface Listener {
  readonly people: People
  pause(by: string): Promise<void>
  resume(by: string): Promise<void>
  /** Stops what runs, and leaves a receipt. */
  cancel(): void
  childWaits(message: { key: string; waitingFor: WaitingFor[] }): void
  describe(): RunState
}

/** From now on the run hears what is said to it. Gives how often it was told that its turn has come. */
export function takeOrders(run: Listener): () => number {
  let turns = 0
  setHandler(turnSignal, () => void turns++)
  setHandler(
    inputUpdate,
    shielded(answer => run.people.answer(answer)),
    { validator: answer => run.people.refuse(answer) },
  )
  setHandler(
    pauseSignal,
    shielded(({ by }) => run.pause(by)),
  )
  setHandler(
    resumeSignal,
    shielded(({ by }) => run.resume(by)),
  )
  setHandler(
    childSignal,
    shielded(message => run.childWaits(message)),
  )
  setHandler(stateQuery, () => run.describe())
  // A cancel goes through the run, which stops what runs, undoes what was done and leaves a receipt.
  CancellationScope.current().cancelRequested.catch(shielded(() => run.cancel()))
  return () => turns
}
