import type { InterventionRecord } from '../../../data/people/interventions-store.ts'
import type { StatedRun, StatedTask } from '../../../domain/people/evidence/statement.ts'
import type { JobRecord } from '../../../data/runs/jobs-store.ts'

/** Describes the subject of an intervention and who may answer it. */
export const describeTask = (task: InterventionRecord): StatedTask => ({
  node_id: task.node_id,
  node_key: task.node_key,
  kind: task.kind,
  opened_at: task.opened_at,
  due_at: task.due_at,
  quorum: task.quorum,
  assignees: task.assignees,
  delegations: task.handling?.delegations ?? [],
  excluded: task.excluded ?? [],
  shown_hash: task.shown_hash,
})

/** Describes a run's definition and who started the run. */
export const describeRun = (job: JobRecord): Omit<StatedRun, 'definition_hash'> => ({
  kind: job.kind,
  pathway_id: job.pathway_id,
  pathway_version: job.pathway_version,
  neuron_id: job.neuron_id,
  neuron_version: job.neuron_version,
  requester: job.requester,
  trace_id: job.trace_id,
  people: job.people,
  created_at: job.created_at,
})
