import { Button, Radio, Stack, Textarea } from '@mantine/core'
import { bindField, Form } from '../../shared/parts/form.tsx'
import { Failure } from '../../shared/parts/read.tsx'
import { type AnswerProps, useAnswer } from './use-answer.ts'

/** Answers questions with an option or text, or declines all of them. */
export function QuestionsForm(props: AnswerProps) {
  const { question } = props
  const { draft, change, answer } = useAnswer(props)
  const questions = question.questions ?? []
  const answers = draft.answers ?? {}
  const set = (id: string, text: string) => change({ answers: { ...answers, [id]: text } })
  const isComplete = questions.every(({ id }) => answers[id]?.trim())
  return (
    <Form className="answer" onSubmit={() => isComplete && answer.mutate({ action: 'answer_questions', answers })}>
      {questions.map(({ id, text, options }) =>
        options ? (
          <Radio.Group key={id} label={text} required value={answers[id] ?? ''} onChange={value => set(id, value)}>
            <Stack gap="xs" mt="xs">
              {options.map(option => (
                <Radio key={option} value={option} label={option} />
              ))}
            </Stack>
          </Radio.Group>
        ) : (
          <Textarea key={id} label={text} required {...bindField(answers[id] ?? '', text => set(id, text))} />
        ),
      )}
      {answer.error && <Failure error={answer.error} />}
      <div className="answer-actions">
        <Button
          type="submit"
          loading={answer.isPending}
          data-disabled={!isComplete || undefined}
          aria-disabled={!isComplete}
        >
          Answer
        </Button>
        <Button variant="default" onClick={() => answer.mutate({ action: 'decline_questions' })}>
          Decline
        </Button>
      </div>
    </Form>
  )
}
