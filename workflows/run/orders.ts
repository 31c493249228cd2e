import { setHandler } from '@temporalio/workflow'
import type { RunEnding } from '../../activities/types.ts'
import type { JobRef, WaitingFor } from '../../domain/jobs.ts'
import { createInbox } from './inbox.ts'
import {
  childSignal,
  eventSignal,
  inputUpdate,
  pauseSignal,
  resumeSignal,
  type RunState,
  stateQuery,
  turnSignal,
  type WaitEventInput,
} from './messages.ts'
import type { OpenInterventions } from './interventions.ts'
import { onCancelRequest, shielded } from './scopes.ts'

/** A run that people and other runs have their say in. */
interface Listener {
  readonly interventions: OpenInterventions
  pause(by: string): Promise<void>
  resume(by: string): Promise<void>
  /** Stops what runs, and leaves a receipt. */
  cancel(): void
  /** Ends the run as its row says that it has ended. */
  endAs(ending: RunEnding): void
  /** Only of runs that can wait for named events. */
  event?(event: WaitEventInput): void
  childWaits(message: { key: string; waitingFor: WaitingFor[] }): void
  describe(): RunState
}

/** From now on the run hears what is said to it. Gives how often it was told that its turn has come. */
export function takeOrders(run: Listener, job: JobRef): () => number {
  let turns = 0
  const inbox = createInbox(job, ending => run.endAs(ending))
  setHandler(turnSignal, () => void turns++)
  setHandler(
    inputUpdate,
    shielded(answer => run.interventions.submit(answer)),
    { validator: answer => run.interventions.validate(answer) },
  )
  setHandler(
    pauseSignal,
    inbox(({ by }) => run.pause(by)),
  )
  setHandler(
    resumeSignal,
    inbox(({ by }) => run.resume(by)),
  )
  setHandler(
    eventSignal,
    inbox(event => run.event?.(event)),
  )
  setHandler(
    childSignal,
    shielded(message => run.childWaits(message)),
  )
  setHandler(stateQuery, () => run.describe())
  // A cancel goes through the run, which stops what runs, undoes what was done and leaves a receipt.
  onCancelRequest(inbox(() => run.cancel()))
  return () => turns
}
