import { setHandler } from '@temporalio/workflow'
import type { JobRef } from '../../../domain/runs/jobs.ts'
import { createInbox, refuseEnded } from './inbox.ts'
import {
  childSignal,
  endWaitsSignal,
  eventUpdate,
  inputUpdate,
  joinSignal,
  pauseSignal,
  resumeSignal,
  stateQuery,
  taskUpdate,
  turnSignal,
} from './messages.ts'
import type { RunController } from './run-controller.ts'
import { onCancelRequest, nonCancellableHandler } from '../scopes.ts'

type MessageTarget = Pick<
  RunController<never, never>,
  | 'interventions'
  | 'pause'
  | 'resume'
  | 'cancel'
  | 'endAs'
  | 'event'
  | 'join'
  | 'validateEvent'
  | 'endWaits'
  | 'childWaits'
  | 'describe'
  | 'registerHandlers'
>

/**
 * Registers the handlers of all messages. Returns a counter of signals that the previous run in the thread has ended.
 */
export function registerMessageHandlers(run: MessageTarget, job: JobRef): () => number {
  let turnSignals = 0
  const inbox = createInbox(job, ending => run.endAs(ending))
  setHandler(turnSignal, () => void turnSignals++, { description: 'The previous run in the thread has ended' })
  setHandler(
    inputUpdate,
    nonCancellableHandler(answer => run.interventions.submit(answer)),
    { description: 'An answer to a task', validator: answer => run.interventions.validate(answer) },
  )
  setHandler(
    taskUpdate,
    nonCancellableHandler(input => run.interventions.applyCommand(input)),
    { description: 'A change to the handling of a task', validator: input => run.interventions.validateCommand(input) },
  )
  setHandler(
    pauseSignal,
    inbox(({ by }) => run.pause(by)),
    { description: 'Pauses the run: no more nodes start' },
  )
  setHandler(
    resumeSignal,
    inbox(({ by }) => run.resume(by)),
    { description: 'Resumes a paused run' },
  )
  setHandler(
    eventUpdate,
    inbox(async event => {
      await run.join(event.people)
      return run.event(event)
    }, refuseEnded),
    { description: 'A named event for wait nodes', validator: event => run.validateEvent(event) },
  )
  setHandler(
    endWaitsSignal,
    inbox(async waits => {
      await run.join(waits.people)
      run.endWaits(waits)
    }),
    { description: 'Ends wait nodes before their time or event' },
  )
  // Handled immediately: the run must not process a child run's result before it knows who is behind it.
  setHandler(
    joinSignal,
    nonCancellableHandler(({ people }) => run.join(people)),
    { description: 'Adds people to those behind the tree of runs' },
  )
  setHandler(
    childSignal,
    nonCancellableHandler(message => run.childWaits(message)),
    { description: 'The state of a waiting child run' },
  )
  run.registerHandlers(inbox)
  setHandler(stateQuery, () => run.describe(), { description: 'Status, open interventions and nodes' })
  // The run handles cancellation itself: it stops work in progress, compensates and writes a receipt.
  onCancelRequest(inbox(() => run.cancel()))
  return () => turnSignals
}
