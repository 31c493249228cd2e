import { setHandler } from '@temporalio/workflow'
import type { JsonValue } from '../../domain/json.ts'
import { drive } from '../run/drive.ts'
import { eventSignal } from '../run/messages.ts'
import { takeOrders } from '../run/orders.ts'
import { shielded } from '../run/shielded.ts'
import type { PathwayRunInput } from './messages.ts'
import { type Carried, PathwayRun } from './run.ts'

/** One run of a pathway. Gives its result; fails with the failing node's code as failure type. */
export async function pathway(input: PathwayRunInput, carried?: Carried): Promise<JsonValue> {
  const run = new PathwayRun(input, carried)
  const turns = takeOrders(run)
  setHandler(
    eventSignal,
    shielded(event => run.event(event)),
  )
  return drive({ run, input, carried, turns })
}
