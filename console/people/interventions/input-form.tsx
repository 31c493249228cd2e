import { Button } from '@mantine/core'
import { useRef } from 'react'
import JsonForm from '../../shared/forms/json-form.tsx'
import { Failure } from '../../shared/parts/read.tsx'
import { type AnswerProps, useAnswer } from './use-answer.ts'

/** The form that a run asks a person to fill in. */
export default function InputForm(props: AnswerProps) {
  const { question } = props
  const submit = useRef<HTMLButtonElement>(null)
  const { draft, change, answer } = useAnswer(props)
  return (
    <div className="answer">
      <JsonForm
        schema={question.form ?? {}}
        value={draft.data}
        onChange={data => change({ data })}
        onSubmit={data => answer.mutate({ action: 'submit_input', data })}
        error={answer.error}
        submitRef={submit}
      />
      {answer.error && <Failure error={answer.error} />}
      <div className="answer-actions">
        <Button loading={answer.isPending} onClick={() => submit.current?.click()}>
          Send
        </Button>
      </div>
    </div>
  )
}
