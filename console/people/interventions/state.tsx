import type { Intervention } from '@ganglion/client'
import { useNow, When } from '../../shared/parts/inline.tsx'

/** What a person has done who gave an answer. */
export const DONE: Record<string, string> = {
  approve: 'approved',
  reject: 'rejected',
  submit_input: 'sent the form',
  answer_questions: 'answered',
  decline_questions: 'declined',
}

/** What became of a closed intervention. */
export function describeStatus({ status, decision }: Pick<Intervention, 'status' | 'decision'>): string {
  if (status !== 'decided') return status
  const { action = '' } = decision ?? {}
  return action === 'submit_input' ? 'answered' : (DONE[action] ?? 'answered')
}

const SOON_MS = 86_400_000

/** When an answer is due; without a limit, when it was asked for. */
export function Due({ due, openedAt }: { due?: string; openedAt: string }) {
  const now = useNow()
  if (due === undefined)
    return (
      <>
        asked <When time={openedAt} />
      </>
    )
  return (
    <span className={Date.parse(due) - now < SOON_MS ? 'due-soon' : undefined}>
      due <When time={due} />
    </span>
  )
}
