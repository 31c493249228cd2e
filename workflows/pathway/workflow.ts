import {
  allHandlersFinished,
  ApplicationFailure,
  CancellationScope,
  CancelledFailure,
  condition,
  continueAsNew,
  proxyLocalActivities,
  setHandler,
} from '@temporalio/workflow'
import type { FinishInput, PathwayProjections } from '../../activities/types.ts'
import type { JsonValue } from '../../domain/json.ts'
import {
  childSignal,
  eventSignal,
  inputUpdate,
  pauseSignal,
  resumeSignal,
  stateQuery,
  turnSignal,
} from '../run/messages.ts'
import type { PathwayRunInput } from './messages.ts'
import { recordOptions } from '../record-options.ts'
import { shielded } from '../run/shielded.ts'
import { passTurnOn, turnHasCome } from '../run/turns.ts'
import { type Carried, PathwayRun } from './run.ts'

const { finish } = proxyLocalActivities<PathwayProjections>(recordOptions)

/** One run of a pathway. Gives its result; fails with the failing node's code as failure type. */
export async function pathway(input: PathwayRunInput, carried?: Carried): Promise<JsonValue> {
  const run = new PathwayRun(input, carried)
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
    eventSignal,
    shielded(event => run.event(event)),
  )
  setHandler(
    childSignal,
    shielded(message => run.childWaits(message)),
  )
  setHandler(stateQuery, () => run.describe())
  // A cancel goes through the engine, which stops what runs, undoes what was done and leaves a receipt.
  CancellationScope.current().cancelRequested.catch(shielded(() => run.cancel()))
  const { trace } = input
  let turns = 0
  if (trace) setHandler(turnSignal, () => void turns++)
  return CancellationScope.nonCancellable(async () => {
    if (trace && !carried)
      await turnHasCome(
        { job: input.job, trace },
        () => turns,
        () => run.finished !== undefined,
      )
    return drive(run, input, carried)
  })
}

async function drive(run: PathwayRun, input: PathwayRunInput, carried?: Carried): Promise<JsonValue> {
  run.start(carried)
  await condition(() => run.finished !== undefined || run.canContinueAsNew)
  await run.quiet()
  await condition(allHandlersFinished)
  const end = run.finished
  if (!end) return continueAsNew<typeof pathway>(input, run.carry())
  const { trace } = input
  await finish({ ...end, ...(trace && { trace }) })
  if (trace) await passTurnOn({ job: input.job, trace })
  return conclude(end)
}

function conclude({ outcome, result, error }: FinishInput): JsonValue {
  if (outcome === 'completed') return result ?? null
  if (outcome === 'cancelled') throw new CancelledFailure('cancelled')
  throw ApplicationFailure.nonRetryable(error?.message, error?.code)
}
