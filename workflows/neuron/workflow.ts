import { runToCompletion } from '../shared/run-lifecycle.ts'
import { registerMessageHandlers } from '../shared/message-handlers.ts'
import type { NeuronResult, NeuronRunInput } from './messages.ts'
import { type ContinueAsNewState, NeuronController } from './controller.ts'

/** Runs a neuron and returns its answer. A failed run throws with its error code as failure type. */
export async function neuron(input: NeuronRunInput, state?: ContinueAsNewState): Promise<NeuronResult> {
  const controller = new NeuronController(input, state)
  const turnSignals = registerMessageHandlers(controller, input.job)
  const result: unknown = await runToCompletion({ run: controller, input, state, turnSignals })
  return result as NeuronResult
}
