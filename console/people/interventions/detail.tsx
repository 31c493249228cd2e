import './interventions.css'
import type { Intervention, JobDetail } from '@ganglion/client'
import { Button, Code, Group, Title } from '@mantine/core'
import { IconDownload, IconLink } from '@tabler/icons-react'
import { TIMEOUT_PORT } from '../../../domain/pathways/definition.ts'
import { type Graph, parseGraph } from '../../pathways/graph/graph.ts'
import { ChangeButton, CopyText } from '../../shared/parts/buttons.tsx'
import { RunLink, Status, When } from '../../shared/parts/inline.tsx'
import { showLater } from '../../shared/parts/loading.tsx'
import { formatLabel } from '../../shared/parts/names.ts'
import { People, Person } from '../../shared/parts/person.tsx'
import { Read } from '../../shared/parts/read.tsx'
import { download, Facts, Markdown, Value } from '../../shared/parts/values.tsx'
import { useSignedIn } from '../../shared/service/signed-in.tsx'
import { useRead } from '../../shared/service/use-service.ts'
import { ApprovalForm } from './approval-form.tsx'
import { QuestionsForm } from './questions-form.tsx'
import { describeStatus, Due } from './state.tsx'
import { TaskActions } from './task-actions.tsx'
import { History, Votes } from './votes.tsx'

/** The answer form for each kind. */
const FORMS = { approval: ApprovalForm, form: showLater(() => import('./input-form.tsx')), questions: QuestionsForm }

/** A vote that doesn't decide the task causes no workspace event, so votes are polled. */
const VOTES_MS = 15_000

/** A run's open task, which people can answer on the run page. */
export function Asked({ run, label }: { run: JobDetail; label: string }) {
  const { can } = useSignedIn()
  if (!can('interventions:read')) return null
  return run.waitingFor?.map(({ interventionId }) => (
    <section key={interventionId} className="pane run-question" aria-label={label}>
      <Detail id={interventionId} />
    </section>
  ))
}

interface DetailProps {
  id: string
  onAnswered?: (title: string, sentence: string) => void
}

/** A task: the question with all content covered by the hash, the votes, and the answer form. */
export function Detail({ id, onAnswered }: DetailProps) {
  const intervention = useRead(['interventions', 'one', id], ({ interventions }) => interventions.get(id), {
    refetchInterval: VOTES_MS,
  })
  return (
    <Read query={intervention}>
      {intervention => (
        <Loaded intervention={intervention} onAnswered={sentence => onAnswered?.(intervention.title, sentence)} />
      )}
    </Read>
  )
}

interface LoadedProps {
  intervention: Intervention
  onAnswered: (sentence: string) => void
}

function Loaded({ intervention, onAnswered }: LoadedProps) {
  const { interventionId, kind, title, description, context, status, refusal, shown_hash } = intervention
  const { can } = useSignedIn()
  const isOpen = status === 'open'
  const AnswerForm = FORMS[kind]
  return (
    <article className="detail">
      <header className="detail-head">
        <Title order={2} size="h3">
          {title}
        </Title>
        <CopyText
          text={`${location.origin}/console/inbox/${interventionId}`}
          label="Copy link to this task"
          icon={IconLink}
        />
      </header>
      <Known intervention={intervention} />
      {description && <Markdown text={description} />}
      {context !== undefined && context !== null && (
        <section className="shown" aria-label="Context">
          <Value value={context} />
        </section>
      )}
      <Votes intervention={intervention} />
      <History history={intervention.history} />
      {isOpen && <TaskActions intervention={intervention} />}
      {isOpen && refusal === undefined && <AnswerForm question={intervention} onAnswered={onAnswered} />}
      {isOpen && refusal !== undefined && (
        <div className="refusal">
          <p>{refusal}</p>
          {can('interventions:answer') && (
            <Group gap="xs">
              {intervention.actions.map(action => (
                <Button key={action} disabled variant="default">
                  {formatLabel(action.split('_')[0] ?? '')}
                </Button>
              ))}
            </Group>
          )}
        </div>
      )}
      {status === 'decided' && (
        <ChangeButton
          name="evidence"
          icon={IconDownload}
          // The format that `ganglion inbox verify-evidence` reads.
          send={async ({ inbox }) => {
            const evidence = await inbox.evidence(interventionId)
            download(JSON.stringify(evidence, null, 2), `evidence-${interventionId}.json`)
          }}
        >
          Download evidence
        </ChangeButton>
      )}
      <p className="detail-hash">
        Content hash <Code>{shown_hash.slice(0, 16)}…</Code> (recorded with the decision)
      </p>
    </article>
  )
}

function Known({ intervention }: { intervention: Intervention }) {
  const { root_job, root_job_id, opened_at, due_at, status, closed_at, assignees, eligible, claimed_by, claimed_at } =
    intervention
  const outcome = useDueOutcome(intervention)
  const people = eligible === undefined ? '' : ` · ${eligible} ${eligible === 1 ? 'person' : 'people'} can answer`
  return (
    <Facts>
      <Status status={describeStatus(intervention)} />
      {root_job && (
        <>
          in <RunLink jobId={root_job_id}>{root_job.title}</RunLink>, started by <Person actor={root_job.requester} />
        </>
      )}
      <>
        created <When time={opened_at} />
      </>
      {closed_at && (
        <>
          closed <When time={closed_at} />
        </>
      )}
      {status === 'open' && due_at && (
        <>
          <Due due={due_at} openedAt={opened_at} />
          {outcome && `, then the run continues with “${outcome}”`}
        </>
      )}
      {claimed_by && claimed_at && (
        <>
          claimed by <Person actor={claimed_by} /> <When time={claimed_at} />
        </>
      )}
      {status === 'open' && (
        <>
          for {assignees.length > 0 ? <People actors={assignees} /> : 'anyone'}
          {people}
        </>
      )}
    </Facts>
  )
}

/** Returns the title of the node with which the run continues after a timeout, if the node is known. */
function useDueOutcome({ job_id, node_id, due_at, status, root_job }: Intervention): string | undefined {
  const { data } = useRead(['definition', job_id], ({ jobs }) => jobs.definition(job_id), {
    enabled: status === 'open' && due_at !== undefined && root_job?.kind === 'pathway',
    staleTime: Infinity,
  })
  return data?.definition && findTarget(parseGraph(data.definition), node_id)
}

/** Returns the title of the node after the timeout port, in the graph or in a body. */
function findTarget({ nodes, edges }: Graph, nodeId: string): string | undefined {
  const edge = edges.find(({ from, port }) => from === nodeId && port === TIMEOUT_PORT)
  if (edge) return nodes.find(({ id }) => id === edge.to)?.title ?? edge.to
  return nodes.map(({ body }) => body && findTarget(body, nodeId)).find(target => target !== undefined)
}
