import { runToCompletion } from '../run/run-lifecycle.ts'
import { registerMessageHandlers } from '../run/message-handlers.ts'
import type { NeuronResult, NeuronRunInput } from './messages.ts'
import { type ContinueAsNewState, NeuronRun } from './run.ts'

/** Runs a neuron and returns its answer. A failed run throws with its error code as failure type. */
export async function neuron(input: NeuronRunInput, state?: ContinueAsNewState): Promise<NeuronResult> {
  const run = new NeuronRun(input, state)
  const turnSignals = registerMessageHandlers(run, input.job)
  const result: unknown = await runToCompletion({ run, input, state, turnSignals })
  return result as NeuronResult
}
