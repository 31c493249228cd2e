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
import { onCancelRequest, nonCancellableHandler } from './scopes.ts'

/** A run that receives messages from the API and from other runs. */
interface MessageTarget {
  readonly interventions: OpenInterventions
  pause(by: string): Promise<void>
  resume(by: string): Promise<void>
  /** Stops work in progress and writes a receipt. */
  cancel(): void
  /** Ends the run with the ending that its row holds. */
  endAs(ending: RunEnding): void
  /** Implemented by runs that wait for named events. */
  event?(event: WaitEventInput): void
  childWaits(message: { key: string; waitingFor: WaitingFor[] }): void
  describe(): RunState
}

/** Registers the handlers of all messages. Returns a counter of the signals that the previous run of the thread has ended. */
export function registerMessageHandlers(run: MessageTarget, job: JobRef): () => number {
  let turnSignals = 0
  const inbox = createInbox(job, ending => run.endAs(ending))
  setHandler(turnSignal, () => void turnSignals++)
  setHandler(
    inputUpdate,
    nonCancellableHandler(answer => run.interventions.submit(answer)),
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
    nonCancellableHandler(message => run.childWaits(message)),
  )
  setHandler(stateQuery, () => run.describe())
  // The run itself handles a cancel: it stops work in progress, compensates and writes a receipt.
  onCancelRequest(inbox(() => run.cancel()))
  return () => turnSignals
}
