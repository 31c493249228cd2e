import { isTerminal, OPEN_STATUSES } from '../../domain/runs/jobs.ts'
import type { Answer } from '../../domain/people/intervention.ts'
import { presentVisitorTask } from '../../domain/people/visitor-tasks.ts'
import type { Principal } from '../../domain/access/principal.ts'
import type { SharedTask, SharedRun } from '../../contract/access/sharing.ts'
import type { InterventionView } from '../../contract/people/intervention.ts'
import type { JobsService } from '../runs/jobs.ts'

type Jobs = Pick<JobsService, 'interventions' | 'list'>

/** Maximum number of a thread's tasks (latest first) and open runs (oldest first) to list. */
const MAX_SHOWN = 100

/** Lists a thread's tasks that are assigned to the visitor, oldest first. */
export async function listTasks(jobs: Jobs, principal: Principal, traceId: string): Promise<SharedTask[]> {
  const { actor } = principal
  const filter = { trace_id: traceId, assignees: [actor], limit: MAX_SHOWN, offset: 0 }
  const { data } = await jobs.interventions(principal, filter)
  return data.flatMap(view => presentSharedTask(view, actor) ?? []).toReversed()
}

/** Returns undefined for an open task that the visitor cannot currently answer. */
function presentSharedTask(view: InterventionView, actor: string): SharedTask | undefined {
  const { decision, votes, interventionId, root_job_id, refusal } = view
  const ownVote = decision?.by === actor ? decision : votes.find(({ by }) => by === actor)
  const status = ownVote ? 'answered' : view.status === 'open' ? 'open' : 'closed'
  if (status === 'open' && refusal !== undefined) return undefined
  return {
    job_id: root_job_id,
    ...presentVisitorTask(interventionId, view),
    status,
    ...(ownVote && { answer: presentAnswer(ownVote as Answer & { at: string }) }),
  }
}

const presentAnswer = ({ action, comment, data, answers, at }: Answer & { at: string }): SharedTask['answer'] => ({
  action,
  ...(comment !== undefined && { comment }),
  ...(data !== undefined && { data }),
  ...(answers && { answers }),
  at,
})

/** Lists a thread's open runs, oldest first. */
export async function listOpenRuns(jobs: Jobs, principal: Principal, traceId: string): Promise<SharedRun[]> {
  const filter = { trace_id: traceId, statuses: [...OPEN_STATUSES], child_runs: false, sort: 'oldest' as const }
  const { jobs: open } = await jobs.list(principal, { ...filter, limit: MAX_SHOWN, offset: 0 })
  return open.flatMap(({ job_id, status }) => (isTerminal(status) ? [] : { job_id, status }))
}
