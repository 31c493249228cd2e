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
  /** Number of answers already in the thread for this turn. */
  answers: number
  /** Whether this is the first open turn. Only that turn opens a stream. */
  isAnswering: boolean
}

/** A turn that has no final answer yet: the streamed text, the open task, and the stop button. */
export function OpenTurn({ jobId, answers, isAnswering }: OpenTurnProps) {
  const { can } = useSignedIn()
  const queryClient = useQueryClient()
  const { data: run, dataUpdatedAt } = useRun(jobId)
  const { texts } = useRunStream(jobId, isAnswering)
  // Each step and each call is written to the thread as soon as it ends.
  useEffect(() => void queryClient.invalidateQueries({ queryKey: ['traces', 'one'] }), [queryClient, dataUpdatedAt])
  const text = joinUnanswered(texts, answers)
  return (
    <div className="turn-part">
      {text && <Markdown text={text} />}
      {run && <Asked run={run} label="Open task" />}
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

/** Returns text that was streamed but is not in the thread yet. Each agent step ends with a message. */
const joinUnanswered = (texts: Record<string, string>, answers: number): string =>
  Object.entries(texts)
    .filter(([key]) => Number(STEP.exec(key)?.[1] ?? Infinity) > answers)
    .map(([, text]) => text)
    .join('\n\n')
