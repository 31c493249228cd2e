import { type Labels, buildLabelField } from '../labels/labels.ts'
import type { JsonValue } from '../../shared/json/json.ts'
import type { Transition } from './transition.ts'

export function finish(
  transition: Transition,
  outcome: 'completed' | 'failed' | 'cancelled',
  result?: JsonValue,
  labels: Labels = [],
): void {
  transition.state.phase = 'over'
  transition.state.outcome = outcome
  const receipt = outcome === 'completed' ? [] : transition.state.receipt.flat()
  transition.commands.push({
    type: 'finish',
    outcome,
    result,
    ...buildLabelField(labels),
    error: transition.state.error,
    receipt,
  })
}
