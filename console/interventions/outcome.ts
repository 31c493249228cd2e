import type { Intervention } from '@ganglion/client'

const OUTCOMES: Record<string, string> = { approve: 'approved', reject: 'rejected', decline_questions: 'declined' }

/** What became of a closed intervention. */
export const toStatus = ({ status, decision }: Pick<Intervention, 'status' | 'decision'>): string =>
  status === 'decided' ? (OUTCOMES[decision?.action ?? ''] ?? 'answered') : status
