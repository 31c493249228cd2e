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
 * The draft of an answer, and what sends it. An answer that is refused, because a person was faster or because it is
 * invalid, leaves the draft as it is.
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
  `${formatLabel(DONE[action] ?? action)}${isDecided ? '' : ', and waiting for others'}`
