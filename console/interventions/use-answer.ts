import type { Intervention, PersonAnswer } from '@ganglion/client'
import { useChange } from '../service/use-change.ts'

export type Question = Pick<
  Intervention,
  'interventionId' | 'job_id' | 'kind' | 'title' | 'context' | 'form' | 'questions'
>

/** Sends an answer. One that is refused, because somebody was faster or because it is invalid, leaves the draft as it is. */
export function useAnswer({ interventionId, job_id }: Question, onAnswered: (sentence: string) => void) {
  return useChange(
    'interventions',
    ({ inbox }, answer: PersonAnswer) => inbox.answer({ interventionId, job_id }, answer),
    ({ decided }, { action }) => onAnswered(describeAnswer(action, decided)),
  )
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
