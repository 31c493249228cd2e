import type { Intervention } from '@ganglion/client'
import { Button, Kbd, Text, Textarea } from '@mantine/core'
import { IconCheck, IconX } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { bindField } from '../../shared/parts/form.tsx'
import { showLater } from '../../shared/parts/loading.tsx'
import { Failure } from '../../shared/parts/read.tsx'
import { useShortcuts } from '../../shared/parts/shortcuts.ts'
import { type AnswerProps, useAnswer } from './use-answer.ts'

const JsonForm = showLater(() => import('../../shared/forms/json-form.tsx'))

type Decision = 'approve' | 'reject'

/** Approves or rejects with a comment, and with data if the approval has a form. */
export function ApprovalForm(props: AnswerProps) {
  const { question } = props
  const { draft, change, answer } = useAnswer(props)
  const [choice, setChoice] = useState<Decision>()
  const comment = useRef<HTMLTextAreaElement>(null)
  // Null until the form has loaded, because an earlier approval would be lost.
  const [submitButton, setSubmitButton] = useState<HTMLButtonElement | null>(null)
  const choose = (decision: Decision) => {
    setChoice(decision)
    comment.current?.focus()
  }
  useShortcuts({ a: () => choose('approve'), r: () => choose('reject') })
  const send = (action: Decision) => {
    const text = draft.comment?.trim()
    const withData = action === 'approve' && question.form && draft.data !== undefined
    answer.mutate({ action, ...(text && { comment: text }), ...(withData && { data: draft.data }) })
  }
  const approve = () => (question.form ? submitButton?.click() : send('approve'))
  return (
    <div className="answer">
      {question.form && (
        <JsonForm
          schema={question.form}
          value={draft.data ?? readProposal(question)}
          onChange={data => change({ data })}
          onSubmit={() => send('approve')}
          error={answer.error}
          submitRef={setSubmitButton}
        />
      )}
      <Textarea
        ref={comment}
        label="Comment"
        minRows={2}
        {...bindField(draft.comment ?? '', comment => change({ comment }))}
        onBlur={() => setChoice(undefined)}
        onKeyDown={event => {
          if (event.key !== 'Enter' || event.shiftKey || !choice) return
          event.preventDefault()
          if (choice === 'approve') approve()
          else send(choice)
        }}
      />
      {answer.error && <Failure error={answer.error} />}
      <div className="answer-actions">
        <Button
          leftSection={<IconCheck size={18} aria-hidden />}
          loading={answer.isPending}
          disabled={question.form && !submitButton}
          onClick={approve}
        >
          Approve
        </Button>
        <Button
          variant="default"
          leftSection={<IconX size={18} aria-hidden />}
          disabled={answer.isPending}
          onClick={() => send('reject')}
        >
          Reject
        </Button>
        {choice && (
          <Text size="sm" role="status">
            <Kbd>Enter</Kbd> {choice === 'approve' ? 'approves' : 'rejects'}, <Kbd>Shift</Kbd> + <Kbd>Enter</Kbd> starts
            a new line.
          </Text>
        )}
      </div>
    </div>
  )
}

/**
 * Returns the proposed arguments of a tool call, limited to the form's fields. Arguments fixed by the agent cannot be
 * changed. Returns undefined for other approvals.
 */
function readProposal({ context, form }: Intervention): object | undefined {
  const { arguments: proposed } = (context ?? {}) as { arguments?: unknown }
  if (typeof proposed !== 'object' || proposed === null) return undefined
  const { properties = {} } = (form ?? {}) as { properties?: object }
  return Object.fromEntries(Object.entries(proposed).filter(([name]) => name in properties))
}
