import type { JobDetail } from '@ganglion/client'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { toStatus } from '../interventions/outcome.ts'
import { Status } from '../parts/status.tsx'
import { useSignedIn } from '../service/signed-in.tsx'
import { ForkButton } from './fork-button.tsx'
import type { RunNode } from './times.ts'

const IN_PROGRESS = new Set(['running', 'waiting', 'skipped'])
const STEP = /^step-\d+$/
const DECIDED = 100

/** What can be done again from a node, in a new run. A child run is forked by its root run. */
export function NodeForks({ run, node }: { run: JobDetail; node: RunNode }) {
  const { can } = useSignedIn()
  const { job_id, kind, parent_job_id, purged_at, nodes } = run
  if (parent_job_id !== null || purged_at !== null) return null
  const isPathway = kind === 'pathway'
  // An agent goes on from a step, without other outputs.
  const isForkable = (isPathway || (kind === 'neuron' && STEP.test(node.key))) && !IN_PROGRESS.has(node.status)
  return (
    <>
      {can('jobs:start') && isForkable && (
        <div>
          <ForkButton
            label="Go on from here…"
            wish={{ kind: 'fork', jobId: job_id, fromNode: node.key, correctable: isPathway ? nodes : [] }}
          />
        </div>
      )}
      {node.node_type === 'human' && can('interventions:answer') && <Decisions jobId={job_id} node={node} />}
    </>
  )
}

/** What people have decided at a node; a node of a map or a loop has several. */
function Decisions({ jobId, node: { node_id } }: { jobId: string; node: RunNode }) {
  const { ganglion } = useSignedIn()
  const { data = [] } = useQuery({
    queryKey: ['interventions', 'decided', jobId],
    queryFn: async () => {
      const status = ['decided' as const, 'timed_out' as const]
      return (await ganglion.interventions.list({ job_id: jobId, status, limit: DECIDED })).data
    },
  })
  return (
    <ul className="plain-list">
      {data
        .filter(one => one.node_id === node_id && one.job_id === jobId)
        .map(one => (
          <li key={one.interventionId} className="item-note">
            <Status status={toStatus(one)} />
            <Link
              to="/inbox/$interventionId"
              params={{ interventionId: one.interventionId }}
              search={{ view: 'decided' }}
              className="table-link"
            >
              {one.title}
            </Link>
            <ForkButton label="Decide again…" wish={{ kind: 'reopen', interventionId: one.interventionId }} />
          </li>
        ))}
    </ul>
  )
}
