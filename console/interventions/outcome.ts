import type { Intervention } from '@ganglion/client'

/** What became of a closed intervention. */
export const toStatus = ({ status, decision }: Pick<Intervention, 'status' | 'decision'>): string => {
  if (status === 'timed_out') return 'timed out'
  if (status !== 'decided') return status
  return (
    { approve: 'approved', reject: 'rejected', decline_questions: 'declined' }[decision?.action ?? ''] ?? 'answered'
  )
}
