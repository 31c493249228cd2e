import { evaluateAnswer, countApprovals, type Answerer, type OpenIntervention } from './answering.ts'
import type { Answer } from './intervention.ts'

/** The predicted outcome of one answer in a bulk request. */
export type Preview =
  | { outcome: 'counts'; decides: boolean; approvals: number; quorum: number }
  /** The same person has already given the same answer. */
  | { outcome: 'repeats' }
  | { outcome: 'refused'; code: 'VALIDATION_ERROR' | 'FORBIDDEN' | 'CLAIMED'; message: string }

const CODES = { INVALID_INPUT: 'VALIDATION_ERROR', NOT_ASSIGNED: 'FORBIDDEN', CLAIMED: 'CLAIMED' } as const

/**
 * Predicts the outcome of an answer given now. Pure.
 * @param at ISO 8601
 */
export function previewAnswer(open: OpenIntervention, answer: Answer, by: Answerer, at: string): Preview {
  const verdict = evaluateAnswer(open, answer, by, at)
  if (verdict.type === 'refused') return { outcome: 'refused', code: CODES[verdict.reason], message: verdict.message }
  if (verdict.type === 'repeated') return { outcome: 'repeats' }
  const approvals = countApprovals([...open.votes, verdict.vote], open.intervention.excluded)
  return { outcome: 'counts', decides: verdict.decided, approvals, quorum: open.intervention.quorum }
}
