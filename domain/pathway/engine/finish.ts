import type { JsonValue } from '../../json.ts'
import type { Draft } from './draft.ts'

/** The run is over. */
export function finish(draft: Draft, outcome: 'completed' | 'failed' | 'cancelled', result?: JsonValue): void {
  draft.state.phase = 'over'
  draft.state.outcome = outcome
  const receipt = outcome === 'completed' ? [] : draft.state.receipt.flat()
  draft.commands.push({ type: 'finish', outcome, result, error: draft.state.error, receipt })
}
