import type { Ganglion, Intervention } from '@ganglion/client'
import { Button, Group } from '@mantine/core'
import { useState } from 'react'
import { Failure } from '../parts/failure.tsx'
import { useSignedIn } from '../service/signed-in.tsx'
import { useChange } from '../service/use-change.ts'
import { TaskForm, type TaskWay } from './task-form.tsx'

const LABELS: Record<TaskWay, string> = { delegate: 'Delegate', reassign: 'Reassign', comment: 'Comment' }

/** What a person may do with an open intervention without answering it. */
export function TaskActions({ intervention }: { intervention: Intervention }) {
  const { interventionId, claimed_by, refusal, assignees } = intervention
  const { can, session } = useSignedIn()
  const [way, setWay] = useState<TaskWay>()
  const change = useChange('interventions', (ganglion, act: (inbox: Ganglion['inbox']) => PromiseLike<unknown>) =>
    act(ganglion.inbox),
  )
  const mayAnswer = can('interventions:answer') && refusal === undefined
  const isMine = claimed_by === session.actor
  const offered: Record<TaskWay, boolean> = {
    delegate: mayAnswer && assignees.length > 0,
    reassign: can('jobs:control'),
    comment: can('interventions:answer'),
  }
  const ways = (Object.keys(LABELS) as TaskWay[]).filter(one => offered[one])
  if (!mayAnswer && ways.length === 0) return null
  return (
    <section className="fields" aria-label="Who deals with it">
      <Group gap="xs">
        {mayAnswer && (
          <Button
            size="xs"
            variant="default"
            loading={change.isPending}
            onClick={() =>
              change.mutate(inbox => (isMine ? inbox.release(interventionId) : inbox.claim(interventionId)))
            }
          >
            {isMine ? 'Release' : 'Claim'}
          </Button>
        )}
        {ways.map(one => (
          <Button
            key={one}
            size="xs"
            variant={one === way ? 'light' : 'default'}
            aria-expanded={one === way}
            onClick={() => setWay(one === way ? undefined : one)}
          >
            {LABELS[one]}…
          </Button>
        ))}
      </Group>
      {change.error && <Failure error={change.error} />}
      {way && offered[way] && (
        <TaskForm
          key={way}
          way={way}
          label={LABELS[way]}
          interventionId={interventionId}
          onDone={() => setWay(undefined)}
        />
      )}
    </section>
  )
}
