import { randomUUIDv7 } from 'node:crypto'
import type { Database, Tx } from '../../data/shared/database.ts'
import { findJob, toJobRef } from '../../data/runs/jobs-store.ts'
import { listPeopleBehind } from '../../data/people/people-store.ts'
import { findResource, type Resource } from '../../data/resources/resources-store.ts'
import {
  type Firing,
  findFiring,
  findFiringByKey,
  insertFiring,
  noteStarted,
  readTriggerUse,
  refuseFiring,
  type StoredFiring,
} from '../../data/triggers/trigger-firings-store.ts'
import { lockTrigger, noteDecision, noteTestFire } from '../../data/triggers/trigger-states-store.ts'
import { AppError, Unavailable } from '../../domain/shared/errors.ts'
import { union } from '../../domain/people/handling.ts'
import { formatProblems, type JsonObject } from '../../domain/shared/json/json.ts'
import type { Principal } from '../../domain/access/principal.ts'
import type { TriggerDocument } from '../../domain/resources/kinds/triggers.ts'
import { type FiringDecision, isFailure } from '../../domain/triggers/firing.ts'
import { getTriggerType, type TriggerTypeName } from '../../domain/triggers/types/index.ts'
import { isUuid } from '../../domain/shared/uuid.ts'
import { FIRED_BY } from '../../workflows/triggers/scheduled-firing-messages.ts'
import { throughGateway } from '../access/gateways.ts'
import type { Evaluator } from '../pathways/evaluation/evaluator.ts'
import { type ClaimJob, type JobBuild, type JobStart, type JobStarter, buildJobRef } from '../runs/start/job-starter.ts'
import type { PlansService } from '../access/plans.ts'
import { notFoundError } from '../resources/finding.ts'
import { findExceededLimit, hasLimits } from './limits.ts'
import { findTriggerPrincipal } from './principal.ts'
import type { BuildTargetRun } from './targets.ts'

/** An event to fire a trigger with. */
export interface FireRequest {
  workspaceId: string
  triggerId: string
  /** The fields that are specific to the trigger type. `type`, `at` and `trigger` are added. */
  event: JsonObject
  /** Events with the same key start only one run. */
  dedupeKey: string
  /** The source of the event. Default: the trigger type. */
  source?: TriggerTypeName
  /** Time of the event (ISO 8601). Default: now. */
  at?: string
  /** Number of triggers that led to this event. */
  depth?: number
  /** The people who caused the event. These people, and everyone behind them, count as people behind the run. */
  people?: string[]
  /** The principal of a manual request. Default: the trigger itself, with its brain's rights. */
  principal?: Principal
  /** The workflow that waits for the run to end. */
  workflowId?: string
  /**
   * Whether an event with an already used key gets its own row. Callers that retry unfinished work must not set this.
   */
  logDuplicates?: boolean
}

/**
 * Decides about an event and starts at most one run for it, no matter how often it is called with the same key.
 * Throws NotFound for a deleted or unknown trigger, and Unavailable if the decision is not stored. The caller may
 * then retry. If the run cannot be started yet, the firing is still returned as fired, and the run starts later.
 */
export type FireTrigger = (request: FireRequest) => Promise<Firing>

interface Deps {
  db: Database
  jobStarter: JobStarter
  evaluator: Evaluator
  plans: Pick<PlansService, 'checkWrite'>
  buildTargetRun: BuildTargetRun
}

/** Fires triggers and starts the runs for interrupted firings. */
export interface TriggerFiring {
  fire: FireTrigger
  /**
   * Starts a firing's run if it has not started yet. Throws Unavailable, including if Temporal has not responded. The
   * call can be repeated.
   */
  completeFiring(firing: FiringAddress): Promise<void>
}

interface FiringAddress {
  workspace_id: string
  trigger_id: string
  id: string
}

type FiringOutcome = Pick<Firing, 'decision' | 'reason'>

interface Decided {
  firing: StoredFiring
  /** False for a repeated event. If the run of its first firing has not started, it is started later. */
  isNew: boolean
}

/**
 * The transaction that decides about an event also writes the job's row. The job's id contains the firing's id, so
 * that retries start no second run. The workflow is started afterwards, and again until the firing is marked as
 * started.
 */
export function createTriggerFiring({ db, jobStarter, evaluator, plans, buildTargetRun }: Deps): TriggerFiring {
  const inTrigger = <T>({ workspaceId }: FireRequest, work: (tx: Tx) => Promise<T>) => db.inWorkspace(workspaceId, work)

  async function decide(tx: Tx, { principal, version }: Firer, request: FireRequest): Promise<JobBuild<Decided>> {
    const { workspaceId, triggerId, dedupeKey } = request
    const head = await getLockedTrigger(tx, triggerId, version)
    const earlier = await findFiringByKey(tx, triggerId, dedupeKey)
    if (earlier) return { response: { firing: await logDuplicate(tx, head, request, earlier), isNew: false } }
    const document = head.document as TriggerDocument
    const event = buildEvent(request, head)
    const save = async (outcome: FiringOutcome, run: Partial<StoredFiring> = {}) => ({
      firing: await saveFiring(tx, head, { ...request, event }, { ...outcome, people: principal.people, ...run }),
      isNew: true,
    })

    if (request.principal === undefined && (document.paused || !head.is_active))
      return { response: await save({ decision: 'paused', reason: document.pause_note ?? null }) }
    const input = document.input ?? getTriggerType(document.trigger_type).defaultInput
    const mapped = await evaluator.evaluate(workspaceId, 'mapEvent', { filter: document.filter, input }, event)
    if ('problem' in mapped) return { response: await save({ decision: 'failed_mapping', reason: mapped.problem }) }
    if (!mapped.passes)
      return { response: await save({ decision: 'filtered', reason: 'The filter evaluated to false' }) }
    const exceeded = hasLimits(document.limits)
      ? findExceededLimit(document.limits, await readTriggerUse(tx, triggerId))
      : undefined
    if (exceeded !== undefined) return { response: await save({ decision: 'limited', reason: exceeded }) }

    const id = randomUUIDv7()
    const claimJob: ClaimJob = name => {
      const job_id = `${name}-${id}`
      const job = buildJobRef(principal, job_id)
      return Promise.resolve({ job, requester: principal.actor, isNew: true, response: null })
    }
    const jobStart = await buildTargetRun(tx, principal, document.target, mapped.input, claimJob)
    const { job_id } = jobStart.job
    const response = await save({ decision: 'fired', reason: null }, { id, job_id, input: mapped.input })
    return { jobStart: { ...markTriggered(jobStart, head, request.workflowId), ...findSource(event) }, response }
  }

  /** Rebuilds a firing's run from the stored rows. Returns undefined if the run has started. */
  async function rebuild(tx: Tx, principal: Principal, head: Resource, firing: StoredFiring) {
    const { decision, job_id, input } = firing
    const existing = decision === 'fired' && job_id !== null ? await findJob(tx, job_id) : undefined
    // Temporal deletes ended runs after a while, but their jobs are no longer pending by then.
    const isOpen = existing?.status === 'pending' || existing?.failed_code === 'NEVER_STARTED'
    if (!existing || !isOpen || existing.purged_at !== null) return undefined
    const claimJob: ClaimJob = () =>
      Promise.resolve({
        job: toJobRef(existing),
        requester: existing.requester,
        isNew: false,
        response: null,
        existing,
      })
    const { target } = head.document as TriggerDocument
    const startedTarget = getStartedTarget(existing, target)
    const jobStart = await buildTargetRun(tx, principal, startedTarget, input, claimJob)
    return markTriggered(jobStart, head, firing.workflow_id ?? undefined)
  }

  /** Stores a decision that an error caused. Another caller may have stored a decision in the meantime. */
  const refuse = (request: FireRequest, outcome: FiringOutcome): Promise<StoredFiring> =>
    inTrigger(request, async tx => {
      const head = await getLockedTrigger(tx, request.triggerId)
      const earlier = await findFiringByKey(tx, request.triggerId, request.dedupeKey)
      return earlier ?? saveFiring(tx, head, { ...request, event: buildEvent(request, head) }, outcome)
    })

  /**
   * Returns the principal of the trigger's current version with everyone behind the run, including the trigger's
   * author and the people who caused the event.
   */
  const findFirer = (request: FireRequest): Promise<Firer> =>
    inTrigger(request, async tx => {
      const head = await findTrigger(tx, request.triggerId)
      if (!head) throw notFoundError('triggers')
      const triggerPrincipal = await findTriggerPrincipal(tx, request.workspaceId, head)
      const { people = [] } = request
      const principal = request.principal ? await throughGateway(tx, request.principal, head) : triggerPrincipal
      const caused = union(principal.people, await listPeopleBehind(tx, people))
      return { principal: { ...principal, people: union(caused, triggerPrincipal.people) }, version: head.version }
    })

  async function fire(request: FireRequest): Promise<Firing> {
    const firer = await findFirer(request)
    const { principal } = firer
    try {
      await plans.checkWrite(principal)
      const { firing, isNew } = await jobStarter.start(principal, undefined, tx => decide(tx, firer, request))
      if (isNew && firing.decision === 'fired') await inTrigger(request, tx => noteStarted(tx, firing.id))
      return presentFiring(firing)
    } catch (error) {
      const outcome = getDecision(error)
      if (outcome) return presentFiring(await refuse(request, outcome))
      if (!(error instanceof Unavailable)) throw error
      // A stored firing is started later.
      const earlierFiring = await inTrigger(request, tx => findFiringByKey(tx, request.triggerId, request.dedupeKey))
      if (!earlierFiring) throw error
      return presentFiring(earlierFiring)
    }
  }

  async function completeFiring({ workspace_id, trigger_id, id }: FiringAddress): Promise<void> {
    const firer = await db.inWorkspace(workspace_id, async tx => {
      const head = await findTrigger(tx, trigger_id)
      const firing = await findFiring(tx, trigger_id, id)
      if (!head || !firing) return undefined
      return { principal: await findTriggerPrincipal(tx, workspace_id, head), version: head.version }
    })
    const complete = (work: (tx: Tx) => Promise<void>) => db.inWorkspace(workspace_id, work)
    if (!firer)
      return complete(tx => refuseFiring(tx, id, { decision: 'target_missing', reason: 'The trigger was deleted' }))
    const { principal, version } = firer
    try {
      await jobStarter.start(principal, undefined, async tx => {
        const head = await getLockedTrigger(tx, trigger_id, version)
        const firing = await findFiring(tx, trigger_id, id)
        return { response: undefined, jobStart: firing && (await rebuild(tx, principal, head, firing)) }
      })
    } catch (error) {
      const outcome = getDecision(error)
      if (!outcome) throw error
      return complete(tx => refuseFiring(tx, id, outcome))
    }
    await complete(tx => noteStarted(tx, id))
  }

  return {
    fire: request => untilUnchanged(() => fire(request)),
    completeFiring: address => untilUnchanged(() => completeFiring(address)),
  }
}

/** The principal of a trigger's version. */
interface Firer {
  principal: Principal
  version: number
}

/** The trigger was saved after its principal was read. */
class TriggerChanged extends Error {}

/** Repeats the work while the trigger changes. */
async function untilUnchanged<T>(work: () => Promise<T>): Promise<T> {
  for (;;)
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof TriggerChanged)) throw error
    }
}

/** The workflow that waits for the run finds its own name in the run's memo. */
const markTriggered = (jobStart: JobStart, trigger: Resource, waiting: string | undefined): JobStart => ({
  ...jobStart,
  trigger,
  isRepeatable: true,
  workflow: { ...jobStart.workflow, ...(waiting !== undefined && { memo: { [FIRED_BY]: waiting } }) },
})

/** Returns the thread with the message that fired a chat trigger. */
export const findSource = ({ trace_id }: JsonObject): Pick<JobStart, 'source_trace_id'> =>
  typeof trace_id === 'string' && isUuid(trace_id) ? { source_trace_id: trace_id } : {}

const presentFiring = ({ workflow_id: _waiting, people: _people, ...firing }: StoredFiring): Firing => firing

/** Reads a live trigger without waiting for its firings to finish. */
const findTrigger = (tx: Tx, id: string): Promise<Resource | undefined> =>
  findResource(tx, { kind: 'triggers', idOrSlug: id })

/** Throws NotFound, and TriggerChanged for a version other than the expected one. */
async function getLockedTrigger(tx: Tx, id: string, version?: number): Promise<Resource> {
  const head = await lockTrigger(tx, id)
  if (!head) throw notFoundError('triggers')
  if (version !== undefined && head.version !== version) throw new TriggerChanged()
  return head
}

/** Stores a repeated event if the request asks for it. Otherwise, returns the earlier firing. */
async function logDuplicate(
  tx: Tx,
  head: Resource,
  request: FireRequest,
  earlier: StoredFiring,
): Promise<StoredFiring> {
  if (!request.logDuplicates) return earlier
  const { id, job_id } = earlier
  const reason = 'The event was received before'
  return saveFiring(tx, head, request, { decision: 'duplicate', reason, duplicate_of: id, job_id })
}

function buildEvent({ event, at, source }: FireRequest, { id, slug, document }: Resource): JsonObject {
  const { trigger_type } = document as TriggerDocument
  return { ...event, type: source ?? trigger_type, at: at ?? new Date().toISOString(), trigger: { id, slug } }
}

/** Writes the firing's row, and updates the trigger's state if the decision affects it. */
async function saveFiring(
  tx: Tx,
  head: Resource,
  request: FireRequest,
  fields: FiringOutcome & Partial<StoredFiring>,
): Promise<StoredFiring> {
  const { dedupeKey, source, depth = 0, principal, event } = request
  const { trigger_type } = head.document as TriggerDocument
  const { decision, reason } = fields
  const inserted = await insertFiring(tx, {
    id: randomUUIDv7(),
    brain_id: head.brain_id,
    trigger_id: head.id,
    trigger_version: head.version,
    source: source ?? trigger_type,
    job_id: null,
    dedupe_key: dedupeKey,
    duplicate_of: null,
    depth,
    fired_by: principal?.actor ?? null,
    event: decision === 'duplicate' ? null : event,
    input: null,
    workflow_id: request.workflowId ?? null,
    people: request.people ?? [],
    ...fields,
  })
  if (!inserted) throw new Error('concurrent firings of a trigger wait for each other')
  if (isNoted({ decision, source, trigger_type })) await noteDecision(tx, head.id, { decision, reason })
  else if (decision === 'fired') await noteTestFire(tx, head.id)
  return inserted
}

/**
 * Returns whether a decision affects the trigger's state. For a trigger that is not manual, a manual firing reveals
 * nothing about the trigger's events, and the caller sees why the firing fails.
 */
function isNoted({ decision, source, trigger_type }: IsNoted): boolean {
  if (decision === 'duplicate' || decision === 'filtered') return false
  return source !== 'manual' || (trigger_type === 'manual' && !isFailure(decision))
}

interface IsNoted extends Pick<FireRequest, 'source'>, Pick<TriggerDocument, 'trigger_type'> {
  decision: FiringDecision
}

const MAX_REASON_CHARS = 2_000

const DECISIONS: Partial<Record<AppError['code'], FiringDecision>> = {
  NOT_FOUND: 'target_missing',
  CONFLICT: 'target_missing',
  VALIDATION_ERROR: 'failed_mapping',
  RATE_LIMIT: 'limited',
  cost_cap: 'limited',
  FORBIDDEN: 'refused',
  trial_expired: 'refused',
}

/** Returns the decision for an error. Returns undefined for unknown errors and errors that a retry may resolve. */
function getDecision(error: unknown): FiringOutcome | undefined {
  if (!(error instanceof AppError)) return undefined
  const decision = DECISIONS[error.code]
  if (decision === undefined) return undefined
  const { message, details } = error
  const reason = details?.length ? `${message}: ${formatProblems(details)}` : message
  return { decision, reason: reason.slice(0, MAX_REASON_CHARS) }
}

/** Returns a started job's target. This is the target of its first start, even if the trigger's target has changed. */
function getStartedTarget(
  {
    kind,
    pathway_id,
    neuron_id,
    receptor_id,
  }: { kind: string; pathway_id: string | null; neuron_id: string | null; receptor_id: string | null },
  target: TriggerDocument['target'],
): TriggerDocument['target'] {
  if (receptor_id !== null) return { type: 'receptor', ref: receptor_id }
  if (kind === 'neuron' && neuron_id !== null) return { type: 'neuron', ref: neuron_id }
  return pathway_id === null ? target : { type: 'pathway', ref: pathway_id }
}
