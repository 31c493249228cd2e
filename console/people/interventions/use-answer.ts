import type { Intervention, PersonAnswer } from '@ganglion/client'
import { formatLabel } from '../../shared/parts/names.ts'
import { useChange } from '../../shared/service/use-service.ts'
import { useDraft } from './draft.ts'
import { DONE } from './state.tsx'

export interface AnswerProps {
  question: Intervention
  onAnswered: (sentence: string) => void
}

/**
 * Returns the draft answer and a function that sends it. If the service rejects the answer, the draft stays
 * unchanged.
 */
export function useAnswer({ question: { interventionId, job_id }, onAnswered }: AnswerProps) {
  const { draft, change, clear } = useDraft(interventionId)
  const answer = useChange(
    'interventions',
    ({ inbox }, personAnswer: PersonAnswer) => inbox.answer({ interventionId, job_id }, personAnswer),
    ({ decided: isDecided }, { action }) => {
      clear()
      onAnswered(describeAnswer(action, isDecided))
    },
  )
  return { draft, change, answer }
}

const describeAnswer = (action: string, isDecided: boolean): string =>
  `${formatLabel(DONE[action] ?? action)}${isDecided ? '' : ', waiting for more approvals'}`
