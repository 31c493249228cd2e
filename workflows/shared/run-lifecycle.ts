import { allHandlersFinished, condition, continueAsNew, proxyLocalActivities } from '@temporalio/workflow'
import type { FinishInput, PathwayProjections } from '../../activities/types.ts'
import type { JobRef } from '../../domain/jobs.ts'
import type { JsonValue } from '../../domain/json.ts'
import type { TraceTurn } from '../../domain/neurons/run-spec.ts'
import { recordOptions } from '../record-options.ts'
import { throwUnlessCompleted } from './end.ts'
import { nonCancellable } from './scopes.ts'
import { notifyNextRun, waitForPreviousRun } from './thread-order.ts'

const { finish } = proxyLocalActivities<PathwayProjections>(recordOptions)

/** A run whose steps may exceed one history. */
interface LongRun<State> {
  readonly finished: FinishInput | undefined
  readonly canContinueAsNew: boolean
  start(state?: State): void
  /** Resolves when no write is in progress. */
  flushed(): Promise<void>
  snapshot(): State
}

interface RunLifecycle<State> {
  run: LongRun<State>
  /** The input of the workflow. In a thread, a run waits for the previous run. */
  input: { job: JobRef; trace?: TraceTurn }
  state: State | undefined
  /** Counts the signals that the previous run of the thread has ended. */
  turnSignals: () => number
}

/** Runs to the end or to continue-as-new. A failed run throws with its error code as failure type. */
export const runToCompletion = <State>({ run, input, state, turnSignals }: RunLifecycle<State>): Promise<JsonValue> =>
  nonCancellable(async () => {
    const { job, trace } = input
    if (trace && !state) await waitForPreviousRun({ job, trace }, turnSignals, () => run.finished !== undefined)
    run.start(state)
    await condition(() => run.finished !== undefined || run.canContinueAsNew)
    await run.flushed()
    await condition(allHandlersFinished)
    const end = run.finished
    if (!end) return continueAsNew(input, run.snapshot())
    await finish(end)
    if (trace) await notifyNextRun({ job, trace })
    throwUnlessCompleted(end)
    return end.result ?? null
  })
