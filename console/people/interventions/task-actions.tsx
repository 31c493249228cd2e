import type { Intervention } from '@ganglion/client'
import { APIError } from '@ganglion/client/errors'
import { Button, Group, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { ActionButton, ChangeButton } from '../../shared/parts/buttons.tsx'
import { Form } from '../../shared/parts/form.tsx'
import { qualifyActor } from '../../shared/parts/names.ts'
import { useSignedIn } from '../../shared/service/signed-in.tsx'
import { useChange } from '../../shared/service/use-service.ts'

/** Actions other than answering a task, with the label and description of their name field. */
const WAYS = {
  delegate: { label: 'Delegate', names: ['Delegate to', 'A person, such as bob'] },
  reassign: {
    label: 'Reassign',
    names: ['New assignees', 'People and groups, such as bob, group:finance'],
  },
  comment: { label: 'Comment', names: undefined },
} as const

type Way = keyof typeof WAYS

/** Actions on an open task other than answering it. */
export function TaskActions({ intervention }: { intervention: Intervention }) {
  const { interventionId, claimed_by, refusal, assignees } = intervention
  const { can, session } = useSignedIn()
  const [way, setWay] = useState<Way>()
  const mayAnswer = can('interventions:answer') && refusal === undefined
  const isMine = claimed_by === session.actor
  const offered: Record<Way, boolean> = {
    delegate: mayAnswer && assignees.length > 0,
    reassign: can('jobs:control'),
    comment: can('interventions:answer'),
  }
  const ways = (Object.keys(WAYS) as Way[]).filter(option => offered[option])
  if (!mayAnswer && ways.length === 0) return null
  return (
    <section className="fields" aria-label="Task actions">
      <Group gap="xs">
        {mayAnswer && (
          <ChangeButton
            name="interventions"
            send={({ inbox }) => (isMine ? inbox.release(interventionId) : inbox.claim(interventionId))}
          >
            {isMine ? 'Release' : 'Claim'}
          </ChangeButton>
        )}
        {ways.map(option => (
          <ActionButton
            key={option}
            isOpen={option === way}
            onClick={() => setWay(option === way ? undefined : option)}
          >
            {WAYS[option].label}…
          </ActionButton>
        ))}
      </Group>
      {way && offered[way] && (
        <TaskForm key={way} way={way} interventionId={interventionId} onDone={() => setWay(undefined)} />
      )}
    </section>
  )
}

type Fields = Record<string, string>

interface TaskFormProps {
  way: Way
  interventionId: string
  onDone: () => void
}

/** Hands a task over, or comments on it without answering. */
function TaskForm({ way, interventionId, onDone }: TaskFormProps) {
  const { label, names } = WAYS[way]
  const send = useChange('interventions', ({ inbox }, { names = '', comment = '' }: Fields): PromiseLike<unknown> => {
    const to = names
      .split(/[\s,]+/)
      .filter(Boolean)
      .map(qualifyActor)
    if (way === 'comment') return inbox.comment(interventionId, comment)
    const why = { comment: comment || undefined }
    if (way === 'reassign') return inbox.reassign(interventionId, { to, ...why })
    // The service rejects multiple names.
    return inbox.delegate(interventionId, { to: to.join(' '), ...why })
  })
  const problem = send.error && <span role="alert">{describeError(send.error)}</span>
  return (
    <Form
      className="fields"
      aria-label={label}
      // If another form was opened in the meantime, it stays open.
      onSubmit={fields => send.mutate(fields, { onSuccess: onDone })}
    >
      {names && (
        <TextInput name="names" label={names[0]} description={names[1]} required autoComplete="off" error={problem} />
      )}
      <Textarea
        name="comment"
        label={names ? 'Reason' : 'Comment without answering'}
        required={!names}
        maxLength={2_000}
        error={!names && problem}
      />
      <Group gap="xs">
        <Button type="submit" size="xs" loading={send.isPending}>
          {label}
        </Button>
        <Button size="xs" variant="subtle" onClick={onDone}>
          Cancel
        </Button>
      </Group>
    </Form>
  )
}

const describeError = (error: Error): string =>
  (APIError.is(error) && error.details?.map(({ message }) => message).join('; ')) || error.message
