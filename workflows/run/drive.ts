import { allHandlersFinished, condition, continueAsNew, proxyLocalActivities } from '@temporalio/workflow'
import type { FinishInput, PathwayProjections } from '../../activities/types.ts'
import type { JobRef } from '../../domain/jobs.ts'
import type { JsonValue } from '../../domain/json.ts'
import type { TraceTurn } from '../../domain/neurons/run-spec.ts'
import { recordOptions } from '../record-options.ts'
import { requireCompleted } from './end.ts'
import { nonCancellable } from './scopes.ts'
import { passTurnOn, turnHasCome } from './turns.ts'

const { finish } = proxyLocalActivities<PathwayProjections>(recordOptions)

/** A run of many steps, which may be too many for one history. */
interface Run<Carried> {
  readonly finished: FinishInput | undefined
  readonly canContinueAsNew: boolean
  start(carried?: Carried): void
  /** Resolves when no write is in progress. */
  flushed(): Promise<void>
  carry(): Carried
}

interface Driven<Carried> {
  run: Run<Carried>
  /** Of the workflow. In a thread, a run waits for its turn there. */
  input: { job: JobRef; trace?: TraceTurn }
  carried: Carried | undefined
  /** How often the run was told that its turn has come. */
  turns: () => number
}

/** Drives a run to its end, or to where it continues as new. Fails with the code of what went wrong as failure type. */
export const drive = <Carried>({ run, input, carried, turns }: Driven<Carried>): Promise<JsonValue> =>
  nonCancellable(async () => {
    const { job, trace } = input
    if (trace && !carried) await turnHasCome({ job, trace }, turns, () => run.finished !== undefined)
    run.start(carried)
    await condition(() => run.finished !== undefined || run.canContinueAsNew)
    await run.flushed()
    await condition(allHandlersFinished)
    const end = run.finished
    if (!end) return continueAsNew(input, run.carry())
    await finish(end)
    if (trace) await passTurnOn({ job, trace })
    requireCompleted(end)
    return end.result ?? null
  })
