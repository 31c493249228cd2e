import type { Intervention, PersonAnswer } from '@ganglion/client'
import { useChange } from '../service/use-service.ts'
import { useDraft } from './draft.ts'

export type Question = Pick<
  Intervention,
  'interventionId' | 'job_id' | 'kind' | 'title' | 'context' | 'form' | 'questions'
>

export interface AnswerProps {
  question: Question
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
    ({ inbox }, given: PersonAnswer) => inbox.answer({ interventionId, job_id }, given),
    ({ decided }, { action }) => {
      clear()
      onAnswered(describeAnswer(action, decided))
    },
  )
  return { draft, change, answer }
}

const WORDS: Record<string, string> = {
  approve: 'Approved',
  reject: 'Rejected',
  submit_input: 'Sent',
  answer_questions: 'Answered',
  decline_questions: 'Declined',
}

const describeAnswer = (action: string, isDecided: boolean): string =>
  `${WORDS[action] ?? action}${isDecided ? '' : ', and waiting for others'}`
