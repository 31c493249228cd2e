import { NotFound } from '../../../domain/shared/errors.ts'
import type { Principal } from '../../../domain/access/principal.ts'
import type { ResourceKind } from '../../../domain/resources/kinds/index.ts'
import type { McpDeps } from '../mcp-deps.ts'

/** The part of the workspace that a request can access through its toolkits, within the caller's permissions. */
export interface Reach {
  /** Resource kinds that the request can read. */
  kinds: readonly ResourceKind[]
  /** Ids of the pathways and neurons whose runs the request can access; `all` for all runs in the workspace. */
  targets: ReadonlySet<string> | 'all'
}

/** Throws NotFound for a resource kind that the toolkits cannot read. */
export function checkKind({ kinds }: Reach, kind: ResourceKind): void {
  if (!kinds.includes(kind)) throw new NotFound()
}

/** Throws NotFound unless a tool from the toolkits started the run for this caller. */
export async function checkRun(
  { jobs }: Pick<McpDeps, 'jobs'>,
  { targets }: Reach,
  principal: Principal,
  jobId: string,
): Promise<void> {
  if (targets === 'all') return
  const { root_job_id } = await jobs.status(principal, jobId)
  const { pathway_id, neuron_id, requester } = await jobs.status(principal, root_job_id)
  const isOfTarget = [pathway_id, neuron_id].some(id => id !== null && targets.has(id))
  if (!isOfTarget || requester !== principal.actor) throw new NotFound('Job')
}

/** Checks access to the run named in a tool's arguments. Throws NotFound. */
export async function checkRunOf(
  deps: Pick<McpDeps, 'jobs'>,
  reach: Reach,
  principal: Principal,
  args: unknown,
): Promise<void> {
  if (reach.targets === 'all') return
  const { job_id, question_id } = args as { job_id?: string; question_id?: string }
  if (question_id !== undefined)
    return checkRun(deps, reach, principal, (await deps.jobs.intervention(principal, question_id)).job_id)
  if (job_id !== undefined) await checkRun(deps, reach, principal, job_id)
}
