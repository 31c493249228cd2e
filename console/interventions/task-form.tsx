import type { Ganglion } from '@ganglion/client'
import { APIError } from '@ganglion/client/errors'
import { Button, Group, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { toActor } from '../parts/names.ts'
import { useChange } from '../service/use-change.ts'

export type TaskWay = 'delegate' | 'reassign' | 'comment'

const NAMES = {
  delegate: { label: 'Who answers instead of you', description: 'A person, such as bob' },
  reassign: { label: 'Who may answer from now on', description: 'People and groups, such as bob, group:finance' },
}

interface TaskFormProps {
  way: TaskWay
  label: string
  interventionId: string
  onDone: () => void
}

/** Hands an intervention over, or comments on it without answering. */
export function TaskForm({ way, label, interventionId, onDone }: TaskFormProps) {
  const [names, setNames] = useState('')
  const [text, setText] = useState('')
  const to = names
    .split(/[\s,]+/)
    .filter(Boolean)
    .map(toActor)
  const comment = text.trim()
  const send = useChange('interventions', ({ inbox }) => sendTask(inbox, interventionId, { way, to, comment }))
  const problem = send.error && <span role="alert">{toProblem(send.error)}</span>
  const isMissing = way === 'comment' ? comment === '' : to.length === 0
  return (
    <form
      className="fields"
      aria-label={label}
      onSubmit={event => {
        event.preventDefault()
        if (!isMissing) send.mutate(undefined, { onSuccess: onDone })
      }}
    >
      {way !== 'comment' && (
        <TextInput
          {...NAMES[way]}
          autoComplete="off"
          value={names}
          error={problem}
          onChange={event => setNames(event.currentTarget.value)}
        />
      )}
      <Textarea
        label={way === 'comment' ? 'Comment without answering' : 'Why'}
        autosize
        minRows={1}
        maxRows={8}
        maxLength={2_000}
        value={text}
        error={way === 'comment' && problem}
        onChange={event => setText(event.currentTarget.value)}
      />
      <Group gap="xs">
        <Button type="submit" size="xs" loading={send.isPending} disabled={isMissing}>
          {label}
        </Button>
        <Button size="xs" variant="subtle" onClick={onDone}>
          Leave it
        </Button>
      </Group>
    </form>
  )
}

interface Task {
  way: TaskWay
  to: string[]
  comment: string
}

function sendTask(inbox: Ganglion['inbox'], id: string, { way, to, comment }: Task): PromiseLike<unknown> {
  const why = comment === '' ? {} : { comment }
  if (way === 'comment') return inbox.comment(id, comment)
  return way === 'reassign'
    ? inbox.reassign(id, { to, ...why })
    : // The service says that several are no person.
      inbox.delegate(id, { to: to.join(' '), ...why })
}

const toProblem = (error: Error): string =>
  (APIError.is(error) && error.details?.map(({ message }) => message).join('; ')) || error.message
