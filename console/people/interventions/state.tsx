import type { Intervention } from '@ganglion/client'
import { useNow, When } from '../../shared/parts/inline.tsx'

/** Past-tense labels for the actions that answer a task. */
export const DONE: Record<string, string> = {
  approve: 'approved',
  reject: 'rejected',
  submit_input: 'submitted the form',
  answer_questions: 'answered',
  decline_questions: 'declined',
}

/** Returns the outcome of a closed task. */
export function describeStatus({ status, decision }: Pick<Intervention, 'status' | 'decision'>): string {
  if (status !== 'decided') return status
  const { action = '' } = decision ?? {}
  return action === 'submit_input' ? 'answered' : (DONE[action] ?? 'answered')
}

const SOON_MS = 86_400_000

/** Shows when an answer is due. Without a due time, shows when the task was created. */
export function Due({ due, openedAt }: { due?: string; openedAt: string }) {
  const now = useNow()
  if (due === undefined)
    return (
      <>
        created <When time={openedAt} />
      </>
    )
  return (
    <span className={Date.parse(due) - now < SOON_MS ? 'due-soon' : undefined}>
      due <When time={due} />
    </span>
  )
}
