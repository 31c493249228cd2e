import { ApplicationFailure, setHandler } from '@temporalio/workflow'
import type { JobRef } from '../../domain/jobs.ts'
import { createInbox } from './inbox.ts'
import {
  childSignal,
  endWaitsSignal,
  eventSignal,
  eventUpdate,
  inputUpdate,
  INVALID_INPUT,
  pauseSignal,
  resumeSignal,
  stateQuery,
  turnSignal,
} from './messages.ts'
import type { RunController } from './run-controller.ts'
import { onCancelRequest, nonCancellableHandler } from './scopes.ts'

type MessageTarget = Pick<
  RunController<never, never>,
  | 'interventions'
  | 'pause'
  | 'resume'
  | 'cancel'
  | 'endAs'
  | 'event'
  | 'validateEvent'
  | 'endWaits'
  | 'childWaits'
  | 'describe'
>

function refuseEnded(): never {
  throw ApplicationFailure.nonRetryable('the run has ended', INVALID_INPUT)
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
    inbox(event => void run.event(event)),
  )
  setHandler(
    eventUpdate,
    inbox(event => run.event(event), refuseEnded),
    { validator: event => run.validateEvent(event) },
  )
  setHandler(
    endWaitsSignal,
    inbox(waits => run.endWaits(waits)),
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
