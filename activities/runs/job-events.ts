import type { Eligibility } from '../../data/people/eligible-people-store.ts'
import type { JobEvent } from '../../domain/runs/events.ts'
import type { NodeMilestone } from '../../domain/runs/nodes.ts'
import type { InterventionChange } from '../../domain/people/intervention.ts'
import { createOpenedEvent } from '../../domain/people/visitor-tasks.ts'
import type { RecordInput } from '../../domain/runs/run-records.ts'

type RunUpdate = Pick<RecordInput, 'status' | 'current_step'> & Partial<Pick<RecordInput, 'nodes' | 'interventions'>>

/** Converts a run's update to stream events, in the order in which readers expect them. */
export function createJobEvents({ status, current_step, nodes = [], interventions = [] }: RunUpdate): JobEvent[] {
  const events = [...nodes.map(createNodeEvent), ...interventions.map(createInterventionEvent)]
  return status === undefined ? events : [...events, { type: 'status', status, current_step }]
}

export function createNodeEvent({ node_id, key, node_type, status, at, port, error }: NodeMilestone): JobEvent {
  return { type: 'node', node_id, key, node_type, status, at, port, error }
}

/** Builds the notice that an intervention cannot be decided unless members, groups or keys change. */
export function createQuorumNotice({ node_id, node_key: key, title, quorum, eligible }: Eligibility): JobEvent {
  const message = `"${title}" requires ${quorum} answers, but only ${eligible} of the known people may answer`
  return { type: 'notice', node_id, key, code: 'QUORUM_UNREACHABLE', message }
}

function createInterventionEvent(change: InterventionChange): JobEvent {
  if (change.change === 'opened') return createOpenedEvent(change.intervention)
  const { id: interventionId, node_key: key } = change
  if (change.change === 'answered') {
    const { vote, decided: isDecided } = change
    const { action, by, at } = vote
    return { type: 'intervention', change: 'answered', interventionId, key, action, by, decided: isDecided, at }
  }
  const { assignees, by } = 'assignees' in change ? change : {}
  return { type: 'intervention', change: change.change, interventionId, key, assignees, by, at: change.at }
}
