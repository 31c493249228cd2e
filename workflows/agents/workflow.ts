import { runToCompletion } from '../shared/run/run-lifecycle.ts'
import { NeuronController, type NeuronSnapshot } from './controller.ts'
import type { NeuronResult, NeuronRunInput } from './messages.ts'

/** Runs an agent and returns its answer. If the run fails, throws with its error code as failure type. */
export async function neuron(input: NeuronRunInput, snapshot?: NeuronSnapshot): Promise<NeuronResult> {
  const result: unknown = await runToCompletion(new NeuronController(input, snapshot), snapshot)
  return result as NeuronResult
}
