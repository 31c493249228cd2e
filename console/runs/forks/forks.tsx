import type { JobDetail } from '@ganglion/client'
import { IconGitFork } from '@tabler/icons-react'
import { lazy } from 'react'
import { describeStatus } from '../../people/interventions/state.tsx'
import { DialogButton } from '../../shared/parts/dialog.tsx'
import { Status, TaskLink } from '../../shared/parts/inline.tsx'
import { useSignedIn } from '../../shared/service/signed-in.tsx'
import { useRead } from '../../shared/service/use-service.ts'
import type { ForkWish } from './fork-dialog.tsx'
import type { RunNode } from '../times.ts'

const ForkDialog = lazy(() => import('./fork-dialog.tsx'))

/** Opens the fork dialog with its preview. */
export const ForkButton = ({ wish, label }: { wish: ForkWish; label: string }) => (
  <DialogButton icon={IconGitFork} label={label}>
    {close => <ForkDialog wish={wish} onClose={close} />}
  </DialogButton>
)

const IN_PROGRESS = new Set(['running', 'waiting', 'skipped'])
const STEP = /^step-\d+$/
const DECIDED = 100

/** Actions that rerun a node in a new run. For a child run, the root run is forked. */
export function NodeForks({ run, node }: { run: JobDetail; node: RunNode }) {
  const { can } = useSignedIn()
  const { job_id, kind, parent_job_id, purged_at, nodes } = run
  if (parent_job_id !== null || purged_at !== null) return null
  const isPathway = kind === 'pathway'
  // An agent run can be forked from a step, but without replaced outputs.
  const isForkable = (isPathway || (kind === 'neuron' && STEP.test(node.key))) && !IN_PROGRESS.has(node.status)
  return (
    <>
      {can('jobs:start') && isForkable && (
        <ForkButton
          label="Rerun from this step…"
          wish={{ kind: 'fork', jobId: job_id, fromNode: node.key, correctable: isPathway ? nodes : [] }}
        />
      )}
      {node.node_type === 'human' && can('interventions:answer') && <Decisions jobId={job_id} node={node} />}
    </>
  )
}

/** Decisions at a node. A node in a map or loop may have several. */
function Decisions({ jobId, node: { node_id } }: { jobId: string; node: RunNode }) {
  const { data = [] } = useRead(['interventions', 'decided', jobId], async ({ interventions }) => {
    const status = ['decided' as const, 'timed_out' as const]
    return (await interventions.list({ job_id: jobId, status, limit: DECIDED })).data
  })
  return (
    <ul className="plain-list">
      {data
        .filter(decision => decision.node_id === node_id && decision.job_id === jobId)
        .map(({ interventionId, title, status, decision }) => (
          <li key={interventionId} className="item-note">
            <Status status={describeStatus({ status, decision })} />
            <TaskLink id={interventionId} view="decided">
              {title}
            </TaskLink>
            <ForkButton label="Decide again…" wish={{ kind: 'reopen', interventionId }} />
          </li>
        ))}
    </ul>
  )
}
