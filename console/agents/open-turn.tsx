import { Group } from '@mantine/core'
import { IconPlayerStop } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { Asked } from '../people/interventions/detail.tsx'
import { ChangeButton } from '../shared/parts/buttons.tsx'
import { Status } from '../shared/parts/inline.tsx'
import { Markdown } from '../shared/parts/values.tsx'
import { useRunStream } from '../runs/follow.ts'
import { useRun } from '../runs/queries.ts'
import { useSignedIn } from '../shared/service/signed-in.tsx'

interface OpenTurnProps {
  jobId: string
  /** Answers of the turn that the thread has. */
  answers: number
  /** No other turn is before it. Only this one holds a stream. */
  isAnswering: boolean
}

/** A turn without its last answer: the text as it is written, what is asked, and the stop. */
export function OpenTurn({ jobId, answers, isAnswering }: OpenTurnProps) {
  const { can } = useSignedIn()
  const queryClient = useQueryClient()
  const { data: run, dataUpdatedAt } = useRun(jobId)
  const { texts } = useRunStream(jobId, isAnswering)
  // Each step and each call is written to the thread when it ends.
  useEffect(() => void queryClient.invalidateQueries({ queryKey: ['traces', 'one'] }), [queryClient, dataUpdatedAt])
  const text = joinUnanswered(texts, answers)
  return (
    <div className="turn-part">
      {text && <Markdown text={text} />}
      {run && <Asked run={run} label="What is asked" />}
      <Group gap="xs">
        <span role="status">
          <Status status={run?.status ?? 'pending'} />
        </span>
        {can('jobs:control') && (
          <ChangeButton name="jobs" icon={IconPlayerStop} send={({ jobs }) => jobs.cancel(jobId)}>
            Stop
          </ChangeButton>
        )}
      </Group>
    </div>
  )
}

const STEP = /^step-(\d+)$/

/** What is streamed and not yet in the thread: each step of a neuron ends with a message. */
const joinUnanswered = (texts: Record<string, string>, answers: number): string =>
  Object.entries(texts)
    .filter(([key]) => Number(STEP.exec(key)?.[1] ?? Infinity) > answers)
    .map(([, text]) => text)
    .join('\n\n')
