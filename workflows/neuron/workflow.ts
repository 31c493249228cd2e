import { drive } from '../run/drive.ts'
import { takeOrders } from '../run/orders.ts'
import type { NeuronResult, NeuronRunInput } from './messages.ts'
import { type Carried, NeuronRun } from './run.ts'

/** One run of a neuron. Gives its answer; fails with the code of what kept it from one as failure type. */
export async function neuron(input: NeuronRunInput, carried?: Carried): Promise<NeuronResult> {
  const run = new NeuronRun(input, carried)
  const turns = takeOrders(run, input.job)
  const result: unknown = await drive({ run, input, carried, turns })
  return result as NeuronResult
}
