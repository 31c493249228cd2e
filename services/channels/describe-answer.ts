import type { JobRecord } from '../../data/runs/jobs-store.ts'
import { parseAnswer } from '../../domain/agents/answers.ts'
import { isJsonObject } from '../../domain/shared/json/json.ts'

/**
 * Returns the answer of a run, or describes its state.
 * @param written the text that a running agent has written so far
 */
export function describeAnswer({ status, kind, result, failed_reason }: JobRecord, written: string): string {
  if (status === 'completed')
    return kind === 'neuron' && isJsonObject(result) && typeof result.output === 'string'
      ? result.output
      : parseAnswer(result).output
  if (status === 'failed') return `The run ended without an answer: ${failed_reason ?? 'unknown reason'}`
  if (status === 'waiting') return 'The run is waiting for a task. The answer follows here.'
  return written === '' ? '…' : written
}
