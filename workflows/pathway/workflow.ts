import type { JsonValue } from '../../domain/json.ts'
import { runToCompletion } from '../run/run-lifecycle.ts'
import { registerMessageHandlers } from '../run/message-handlers.ts'
import type { PathwayRunInput } from './messages.ts'
import { type ContinueAsNewState, PathwayRun } from './run.ts'

/** Runs a pathway and returns its result. A failed run throws with the code of the failed node as failure type. */
export async function pathway(input: PathwayRunInput, state?: ContinueAsNewState): Promise<JsonValue> {
  const run = new PathwayRun(input, state)
  const turnSignals = registerMessageHandlers(run, input.job)
  return runToCompletion({ run, input, state, turnSignals })
}
