import './interventions.css'
import type { Intervention } from '@ganglion/client'
import { Code, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { AnswerForm, Refusal } from './answer-form.tsx'
import { CopyLink } from './copy-link.tsx'
import { Failure } from '../parts/failure.tsx'
import { Loading } from '../parts/loading.tsx'
import { toName } from '../parts/names.ts'
import { Status } from '../parts/status.tsx'
import { Value } from '../parts/value.tsx'
import { When } from '../parts/when.tsx'
import { useDueOutcome } from './due-outcome.ts'
import { Due } from './due.tsx'
import { EvidenceButton } from './evidence-button.tsx'
import { History } from './history.tsx'
import { useInterventionQuery } from './query.ts'
import { toStatus } from './outcome.ts'
import { TaskActions } from './task-actions.tsx'
import { Votes } from './votes.tsx'

interface DetailProps {
  id: string
  onAnswered: (title: string, sentence: string) => void
}

/** One intervention: what was asked, with all that its hash covers, who has answered, and the answer. */
export function Detail({ id, onAnswered }: DetailProps) {
  const { data: intervention, error, refetch } = useQuery(useInterventionQuery(id))
  if (error && !intervention) return <Failure error={error} onRetry={() => void refetch()} />
  if (!intervention) return <Loading />
  const { title, description, context, status } = intervention
  return (
    <article className="detail">
      <header className="detail-head">
        <Title order={2} size="h3">
          {title}
        </Title>
        <CopyLink interventionId={id} label="Copy the link to this intervention" />
      </header>
      <Facts intervention={intervention} />
      {status === 'open' && <TaskActions intervention={intervention} />}
      {description && <p className="detail-text">{description}</p>}
      {context !== undefined && context !== null && (
        <section className="shown" aria-label="What it is about">
          <Value value={context} />
        </section>
      )}
      <Votes intervention={intervention} />
      <History history={intervention.history} />
      {status === 'open' && intervention.refusal === undefined && (
        <AnswerForm question={intervention} onAnswered={sentence => onAnswered(title, sentence)} />
      )}
      {status === 'open' && intervention.refusal !== undefined && <Refusal intervention={intervention} />}
      {status === 'decided' && <EvidenceButton interventionId={id} />}
      <p className="detail-hash">
        What is shown has the SHA-256 <Code>{intervention.shown_hash.slice(0, 16)}…</Code>, which the record keeps.
      </p>
    </article>
  )
}

function Facts({ intervention }: { intervention: Intervention }) {
  const { root_job, root_job_id, opened_at, due_at, status, closed_at, assignees, eligible, claimed_by, claimed_at } =
    intervention
  const outcome = useDueOutcome(intervention)
  return (
    <ul className="facts">
      <li>
        <Status status={status === 'open' ? 'open' : toStatus(intervention)} />
      </li>
      {root_job && (
        <li>
          of{' '}
          <Link to="/runs/$jobId" params={{ jobId: root_job_id }} className="table-link">
            {root_job.title}
          </Link>
          , started by {toName(root_job.requester)}
        </li>
      )}
      <li>
        asked <When time={opened_at} />
      </li>
      {closed_at && (
        <li>
          closed <When time={closed_at} />
        </li>
      )}
      {status === 'open' && due_at && (
        <li>
          <Due due={due_at} opened={opened_at} />
          {outcome && `, then the run goes on with “${outcome}”`}
        </li>
      )}
      {claimed_by && claimed_at && (
        <li>
          claimed by {toName(claimed_by)} <When time={claimed_at} />
        </li>
      )}
      {status === 'open' && (
        <li>
          {assignees.length > 0 ? `for ${assignees.map(toName).join(', ')}` : 'for everybody who may answer'}
          {eligible !== undefined && ` (${eligible})`}
        </li>
      )}
    </ul>
  )
}
