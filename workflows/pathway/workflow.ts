import type { JsonValue } from '../../domain/json.ts'
import { drive } from '../run/drive.ts'
import { takeOrders } from '../run/orders.ts'
import type { PathwayRunInput } from './messages.ts'
import { type Carried, PathwayRun } from './run.ts'

/** One run of a pathway. Gives its result; fails with the failing node's code as failure type. */
export async function pathway(input: PathwayRunInput, carried?: Carried): Promise<JsonValue> {
  const run = new PathwayRun(input, carried)
  const turns = takeOrders(run, input.job)
  return drive({ run, input, carried, turns })
}
