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
  type PathwayRunInput,
  pauseSignal,
  resumeSignal,
  stateQuery,
} from './messages.ts'
import { recordOptions } from './options.ts'
import { type Carried, PathwayRun } from './run.ts'

const { finish } = proxyLocalActivities<PathwayProjections>(recordOptions)

/** One run of a pathway. Gives its result; fails with the failing node's code as failure type. */
export async function pathway(input: PathwayRunInput, carried?: Carried): Promise<JsonValue> {
  const run = new PathwayRun(input, carried)
  setHandler(inputUpdate, answer => run.people.answer(answer), { validator: answer => run.people.refuse(answer) })
  setHandler(pauseSignal, ({ by }) => run.pause(by))
  setHandler(resumeSignal, ({ by }) => run.resume(by))
  setHandler(eventSignal, event => run.event(event))
  setHandler(childSignal, message => run.childWaits(message))
  setHandler(stateQuery, () => run.describe())
  // A cancel goes through the engine, which stops what runs, undoes what was done and leaves a receipt.
  CancellationScope.current().cancelRequested.catch(() => run.cancel())
  return CancellationScope.nonCancellable(() => drive(run, input, carried))
}

async function drive(run: PathwayRun, input: PathwayRunInput, carried?: Carried): Promise<JsonValue> {
  run.start(carried)
  await condition(() => run.finished !== undefined || run.canContinueAsNew)
  await run.quiet()
  await condition(allHandlersFinished)
  const end = run.finished
  if (!end) return continueAsNew<typeof pathway>(input, run.carry())
  await finish(end)
  return conclude(end)
}

function conclude({ outcome, result, error }: FinishInput): JsonValue {
  if (outcome === 'completed') return result ?? null
  if (outcome === 'cancelled') throw new CancelledFailure('cancelled')
  throw ApplicationFailure.nonRetryable(error?.message, error?.code)
}
