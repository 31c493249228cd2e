import { isCancellation } from '@temporalio/workflow'
import type { EngineEvent } from '../../domain/pathway/engine/commands.ts'
import { describe } from '../failures.ts'

/** What a failed effect means to the engine. `stopping`: it had been told to stop. */
export function failureEvent(key: string, error: unknown, stopping: boolean): EngineEvent {
  const at = new Date().toISOString()
  if (isCancellation(error)) return { type: 'settled', key, at, outcome: 'stopped' }
  if (stopping) return { type: 'settled', key, at, outcome: 'in_doubt' }
  return { type: 'failed', key, at, ...describe(error) }
}
