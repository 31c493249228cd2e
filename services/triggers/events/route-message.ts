import type { Database } from '../../../data/shared/database.ts'
import { findJob } from '../../../data/runs/jobs-store.ts'
import { findResource, type Resource } from '../../../data/resources/resources-store.ts'
import { awaitRouter, type DueTriggerEvent } from '../../../data/triggers/trigger-events-store.ts'
import { AppError, Unavailable } from '../../../domain/shared/errors.ts'
import { union } from '../../../domain/people/handling.ts'
import { isJsonObject, type JsonValue } from '../../../domain/shared/json/json.ts'
import type { TriggerDocument } from '../../../domain/resources/kinds/triggers.ts'
import { type JobStarter, buildJobRef } from '../../runs/start/job-starter.ts'
import { buildNeuronRun, getNeuron } from '../../agents/neurons/start-neuron.ts'
import { findSource } from '../fire.ts'
import { findTriggerPrincipal } from '../principal.ts'
import { listPeople } from './causes.ts'
import { decide } from './decide.ts'

/**
 * Asks a chat trigger's router about a message. `passes`: the trigger must fire, as without a router. `waits`: the
 * router has not responded yet, and the event becomes due again. `decided`: the trigger must not fire, and the
 * decision is stored.
 */
export type RouteMessage = (due: DueTriggerEvent) => Promise<'passes' | 'waits' | 'decided'>

const POLL_SECONDS = 1
const MAX_WAIT_MS = 600_000

export function createRouteMessage({ db, jobStarter }: { db: Database; jobStarter: JobStarter }): RouteMessage {
  /** Starts the neuron's run. The run's id is derived from the event id, so that a retry does not start another run. */
  async function ask(due: DueTriggerEvent, head: Resource, neuron: string): Promise<void> {
    const { id, workspace_id } = due
    const principal = await db.inWorkspace(workspace_id, async tx => {
      const triggerPrincipal = await findTriggerPrincipal(tx, workspace_id, head)
      return { ...triggerPrincipal, people: union(triggerPrincipal.people, await listPeople(tx, due)) }
    })
    const job = buildJobRef(principal, `${head.slug}-router-${id}`)
    await jobStarter.start(principal, undefined, async tx => {
      const existing = await findJob(tx, job.job_id)
      const claimed = { job, requester: principal.actor, isNew: !existing, existing, response: null }
      const call = { messages: [{ role: 'user' as const, content: due.event.message as string }] }
      const routerNeuron = await getNeuron(tx, principal, neuron)
      const jobStart = await buildNeuronRun(tx, principal, routerNeuron, claimed, call)
      await awaitRouter(tx, id, job.job_id, POLL_SECONDS)
      return { jobStart: { ...jobStart, ...findSource(due.event), isRepeatable: true }, response: undefined }
    })
  }

  const refuse = async (due: DueTriggerEvent, decision: 'filtered' | 'refused', reason: string): Promise<'decided'> => {
    await db.inWorkspace(due.workspace_id, tx => decide(tx, due, { decision, reason, depth: 0 }))
    return 'decided'
  }

  /** Reads the neuron's answer. */
  async function readAnswer(due: DueTriggerEvent, jobId: string) {
    const { id, workspace_id, created_at } = due
    const job = await db.inWorkspaceAtOnce(workspace_id, tx => findJob(tx, jobId))
    if (job?.status === 'completed')
      return isYes(job.result) ? 'passes' : refuse(due, 'filtered', 'The router did not approve the message')
    if (!job || job.status === 'failed')
      return refuse(due, 'refused', `The router's run failed: ${job?.failed_reason ?? 'unknown'}`)
    if (Date.now() - Date.parse(created_at) > MAX_WAIT_MS)
      return refuse(due, 'refused', 'The router did not respond in time')
    await db.inWorkspace(workspace_id, tx => awaitRouter(tx, id, jobId, POLL_SECONDS))
    return 'waits'
  }

  return async due => {
    if (!('message' in due.event)) return 'passes'
    const head = await db.inWorkspace(due.workspace_id, tx =>
      findResource(tx, { kind: 'triggers', idOrSlug: due.trigger_id }),
    )
    const router = (head?.document as TriggerDocument | undefined)?.chat?.router
    if (!head || !router) return 'passes'
    if (due.router_job_id !== null) return readAnswer(due, due.router_job_id)
    try {
      await ask(due, head, router.neuron)
      return 'waits'
    } catch (error) {
      if (!(error instanceof AppError) || error instanceof Unavailable) throw error
      return refuse(due, 'refused', `The router could not be started: ${error.message}`)
    }
  }
}

/** Returns whether the neuron's answer is yes: a text that starts with "yes", or an object with `fire: true`. */
function isYes(result: JsonValue): boolean {
  const output = isJsonObject(result) && 'output' in result ? result.output : result
  if (typeof output === 'string') return /^\W*(?:yes|true)\b/i.test(output)
  return output === true || (isJsonObject(output) && output.fire === true)
}
