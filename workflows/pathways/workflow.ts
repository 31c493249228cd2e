import type { JsonValue } from '../../domain/shared/json/json.ts'
import { runToCompletion } from '../shared/run/run-lifecycle.ts'
import { PathwayController, type PathwaySnapshot } from './controller.ts'
import type { PathwayRunInput } from './messages.ts'

/** Runs a pathway and returns its result. A failed run throws with the code of the failed node as failure type. */
export const pathway = (input: PathwayRunInput, snapshot?: PathwaySnapshot): Promise<JsonValue> =>
  runToCompletion(new PathwayController(input, snapshot), snapshot)
