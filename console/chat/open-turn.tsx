import { Button, Group } from '@mantine/core'
import { IconPlayerStop } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useEffect } from 'react'
import { Asked } from '../interventions/asked.tsx'
import { Failure } from '../parts/failure.tsx'
import { Status } from '../parts/status.tsx'
import { useRunStream } from '../runs/follow.ts'
import { useRunQuery } from '../runs/queries.ts'
import { useSignedIn } from '../service/signed-in.tsx'
import { useChange } from '../service/use-change.ts'

const Markdown = lazy(() => import('../parts/markdown.tsx'))

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
  const { data: run, dataUpdatedAt } = useQuery(useRunQuery(jobId))
  const { texts } = useRunStream(jobId, isAnswering)
  // Each step and each call is written to the thread when it ends.
  useEffect(() => void queryClient.invalidateQueries({ queryKey: ['traces', 'one'] }), [queryClient, dataUpdatedAt])
  const stop = useChange('jobs', ganglion => ganglion.jobs.cancel(jobId))
  const text = joinUnanswered(texts, answers)
  return (
    <div className="turn-part">
      {text && (
        <Suspense fallback={<p className="detail-text">{text}</p>}>
          <Markdown text={text} />
        </Suspense>
      )}
      {run && <Asked run={run} label="What is asked" />}
      {stop.error && <Failure error={stop.error} />}
      <Group gap="xs">
        <span role="status">
          <Status status={run?.status ?? 'pending'} />
        </span>
        {can('jobs:control') && (
          <Button
            size="compact-sm"
            variant="default"
            leftSection={<IconPlayerStop size={16} aria-hidden />}
            loading={stop.isPending}
            onClick={() => stop.mutate()}
          >
            Stop
          </Button>
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
