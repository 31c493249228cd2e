import type { JsonValue } from '../../domain/shared/json/json.ts'
import { runToCompletion } from '../shared/run/run-lifecycle.ts'
import { PathwayController, type PathwaySnapshot } from './controller.ts'
import type { PathwayRunInput } from './messages.ts'

/** Runs a pathway and returns its result. If the run fails, throws with the failed node's code as failure type. */
export const pathway = (input: PathwayRunInput, snapshot?: PathwaySnapshot): Promise<JsonValue> =>
  runToCompletion(new PathwayController(input, snapshot), snapshot)
