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
import { recordOptions } from '../record-options.ts'
import { childSignal, inputUpdate, pauseSignal, resumeSignal, stateQuery, turnSignal } from '../run/messages.ts'
import { shielded } from '../run/shielded.ts'
import { passTurnOn, turnHasCome } from '../run/turns.ts'
import type { NeuronResult, NeuronRunInput } from './messages.ts'
import { type Carried, NeuronRun } from './run.ts'

const { finish } = proxyLocalActivities<PathwayProjections>(recordOptions)

/** One run of a neuron. Gives its answer; fails with the code of what kept it from one as failure type. */
export async function neuron(input: NeuronRunInput, carried?: Carried): Promise<NeuronResult> {
  const run = new NeuronRun(input, carried)
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
  CancellationScope.current().cancelRequested.catch(shielded(() => run.cancel()))
  return CancellationScope.nonCancellable(async () => {
    if (!carried)
      await turnHasCome(
        input,
        () => turns,
        () => run.finished !== undefined,
      )
    return drive(run, input, carried)
  })
}

async function drive(run: NeuronRun, input: NeuronRunInput, carried?: Carried): Promise<NeuronResult> {
  run.start(carried)
  await condition(() => run.finished !== undefined || run.canContinueAsNew)
  await run.quiet()
  await condition(allHandlersFinished)
  const end = run.finished
  if (!end) return continueAsNew<typeof neuron>(input, run.carry())
  await finish(end)
  await passTurnOn(input)
  return conclude(end)
}

function conclude({ outcome, result, error }: FinishInput): NeuronResult {
  if (outcome === 'completed') return result as unknown as NeuronResult
  if (outcome === 'cancelled') throw new CancelledFailure('cancelled')
  throw ApplicationFailure.nonRetryable(error?.message, error?.code)
}
