import type { JsonValue } from '../../json.ts'
import type { Transition } from './transition.ts'

export function finish(
  transition: Transition,
  outcome: 'completed' | 'failed' | 'cancelled',
  result?: JsonValue,
): void {
  transition.state.phase = 'over'
  transition.state.outcome = outcome
  const receipt = outcome === 'completed' ? [] : transition.state.receipt.flat()
  transition.commands.push({ type: 'finish', outcome, result, error: transition.state.error, receipt })
}
