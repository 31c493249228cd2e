import type { Intervention, PersonAnswer } from '@ganglion/client'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useSignedIn } from '../service/signed-in.tsx'

export type Question = Pick<
  Intervention,
  'interventionId' | 'job_id' | 'kind' | 'title' | 'context' | 'form' | 'questions'
>

/** Sends an answer. One that is refused, because somebody was faster or because it is invalid, leaves the draft as it is. */
export function useAnswer({ interventionId, job_id }: Question, onAnswered: (sentence: string) => void) {
  const { ganglion } = useSignedIn()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (answer: PersonAnswer) => ganglion.inbox.answer({ interventionId, job_id }, answer),
    onSuccess: ({ decided }, { action }) => onAnswered(describeAnswer(action, decided)),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['interventions'] }),
  })
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
