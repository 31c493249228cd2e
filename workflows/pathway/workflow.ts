import type { JsonValue } from '../../domain/json.ts'
import { runToCompletion } from '../shared/run-lifecycle.ts'
import { registerMessageHandlers } from '../shared/message-handlers.ts'
import type { PathwayRunInput } from './messages.ts'
import { type ContinueAsNewState, PathwayController } from './controller.ts'

/** Runs a pathway and returns its result. A failed run throws with the code of the failed node as failure type. */
export async function pathway(input: PathwayRunInput, state?: ContinueAsNewState): Promise<JsonValue> {
  const controller = new PathwayController(input, state)
  const turnSignals = registerMessageHandlers(controller, input.job)
  return runToCompletion({ run: controller, input, state, turnSignals })
}
