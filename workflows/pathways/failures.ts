import { isCancellation } from '@temporalio/workflow'
import type { EngineEvent } from '../../domain/pathways/engine/commands.ts'
import { describeFailure } from '../shared/failures.ts'
import { now } from '../shared/deterministic.ts'

/** Converts the failure of an effect to the engine's event. */
export function createFailureEvent(key: string, error: unknown, isStopping: boolean): EngineEvent {
  const at = now()
  if (isCancellation(error)) return { type: 'settled', key, at, outcome: 'stopped' }
  if (isStopping) return { type: 'settled', key, at, outcome: 'in_doubt' }
  return { type: 'failed', key, at, ...describeFailure(error) }
}
