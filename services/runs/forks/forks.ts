import type { Database, Tx } from '../../../data/shared/database.ts'
import { copyFiles } from '../../../data/documents/files-store.ts'
import type { ForkChanges } from '../../../data/runs/job-forks-store.ts'
import { saveMilestones } from '../../../data/runs/job-nodes-store.ts'
import { Conflict, Forbidden, ValidationError } from '../../../domain/shared/errors.ts'
import { union } from '../../../domain/people/handling.ts'
import { assigneeProblem } from '../../../domain/people/answering.ts'
import type { JobRef } from '../../../domain/runs/jobs.ts'
import type { JobRecord } from '../../../data/runs/jobs-store.ts'
import type { JsonValue } from '../../../domain/shared/json/json.ts'
import type { ForkPlan } from '../../../domain/pathways/fork/types.ts'
import { listUuids } from '../../../domain/shared/uuid.ts'
import type { PinnedPathway } from '../../../domain/pathways/definition.ts'
import type { Principal } from '../../../domain/access/principal.ts'
import { buildForkSnapshot } from '../../../workflows/pathways/controller.ts'
import { inBrain } from '../../access/brains.ts'
import type { Evaluator } from '../../pathways/evaluation/evaluator.ts'
import type { IdempotencyKeys } from '../../shared/idempotency.ts'
import { pinRun, resolvePinned } from '../../pathways/pinning.ts'
import type { Temporal } from '../../shared/temporal.ts'
import { getIntervention } from '../find.ts'
import type { JobStart, JobStarter } from '../start/job-starter.ts'
import { attachInputFiles, buildPathwayJob, prepareRun } from '../start/start-pathway.ts'
import { createStatusReader } from '../status/status.ts'
import type { ForkStarted, ForkPlanView } from '../../../contract/runs/fork.ts'
import type { JobsService } from '../jobs.ts'
import { forkAgent } from './fork-agent.ts'
import { forkError, type ForkAsk } from './fork-ask.ts'
import { createForkJobRef } from './fork-job.ts'
import { type FollowedPathway, listNewAuthors, getFollowedPathway } from '../followed.ts'
import { getForkableJob, type Origin, readOrigin } from './read-origin.ts'
import { recordFork, showCopied } from './record-fork.ts'

interface Deps {
  db: Database
  temporal: Temporal
  jobStarter: JobStarter
  evaluator: Evaluator
  idempotencyKeys: Pick<IdempotencyKeys, 'check'>
}

/** A fork plan without problems. */
interface PlannedFork extends FollowedPathway {
  origin: Origin
  input: JsonValue
  title: string
  plan: ForkPlan
  changes: ForkChanges
  /** Everyone whose actions or edits the fork depends on. */
  people: string[]
}

/** Starts runs that copy the completed nodes before a given node of another run and continue from that node. */
export function createForks({
  db,
  temporal,
  jobStarter,
  evaluator,
  idempotencyKeys,
}: Deps): Pick<JobsService, 'fork' | 'retry' | 'reopen'> {
  const deps = { db, temporal, idempotencyKeys, readStatus: createStatusReader({ db, temporal }) }

  async function planFork(principal: Principal, row: JobRecord, ask: ForkAsk): Promise<PlannedFork> {
    const origin = await readOrigin(deps, principal, row)
    const { pathway, pins } = await choosePathway(principal, origin, ask.pathway_version)
    const { input, title } = await prepareInput(origin, pathway, ask)
    const people = await listPeople(principal, row, { pathway, pins })
    const run = { id: row.job_id, requester: row.requester, people }
    const { from_node: from, outputs } = ask
    const request = { from, outputs, input, run, nodes: origin.nodes, pins, at: new Date().toISOString() }
    const plan = await evaluator.evaluate(row.workspace_id, 'planFork', pathway.definition, request)
    const { problems } = plan
    const conflict = problems.find(({ is_state }) => is_state)
    if (conflict) throw new Conflict(conflict.message)
    if (problems.length > 0) throw forkError(problems)
    checkRepeats(principal, row, plan)
    const changes = {
      input: ask.input !== undefined,
      pathway_version: ask.pathway_version !== undefined,
      outputs: Object.keys(outputs ?? {}),
    }
    return { origin, pathway, pins, input, title, plan, changes, people }
  }

  /** Returns the people behind the run, the caller, and the authors of changes since the run started. */
  async function listPeople(principal: Principal, row: JobRecord, followedPathway: FollowedPathway): Promise<string[]> {
    const authors = await db.inWorkspace(row.workspace_id, tx => listNewAuthors(tx, row, followedPathway))
    return union(row.people, union(principal.people, authors))
  }

  /**
   * Returns the pathway that the run uses, or another version of that pathway with the current versions of its
   * references.
   */
  async function choosePathway(
    principal: Principal,
    { row, pathway, pins }: Origin,
    version?: number,
  ): Promise<FollowedPathway> {
    if (version === undefined) return { pathway, pins }
    const at = '/pathway_version'
    if (row.pathway_id === null)
      throw invalidForkError(at, "must not be given, because the run's definition was sent inline")
    const caller = inBrain(principal, row.brain_id)
    return db.inWorkspace(row.workspace_id, async tx => {
      const pinnedPathway = await resolvePinned(tx, `${row.pathway_id}@${version}`, caller)
      if (!pinnedPathway) throw invalidForkError(at, "must be a version of the run's pathway")
      return getFollowedPathway(await pinRun(tx, caller, pinnedPathway, at))
    })
  }

  /** Returns the run's own input, or the given input completed with the pathway's defaults. Throws ValidationError. */
  async function prepareInput({ row }: Origin, pathway: PinnedPathway, { input, pathway_version }: ForkAsk) {
    if (input === undefined && pathway_version === undefined) return { input: row.input, title: row.title }
    const starting = { job: row, requester: row.requester, input: input ?? row.input }
    return prepareRun(evaluator, pathway, starting)
  }

  async function start(principal: Principal, ask: ForkAsk, plannedFork: PlannedFork): Promise<ForkStarted> {
    const { origin, pathway } = plannedFork
    const { row } = origin
    const caller = inBrain(principal, row.brain_id)
    return jobStarter.start<ForkStarted>(caller, ask.idempotency, async (tx, claimJob) => {
      const claimed = await claimJob(pathway.slug)
      const job = createForkJobRef(claimed, row, { people: plannedFork.people, kind: ask.kind })
      const jobStart = buildForkJob(job, plannedFork)
      const from_node = ask.named ?? ask.from_node
      return {
        jobStart: { ...jobStart, writeMore: jobTx => writeFork(evaluator, jobTx, principal, job, ask, plannedFork) },
        response: { job_id: job.job_id, status: 'pending', forked_from: { job_id: row.job_id, from_node } },
      }
    })
  }

  async function forkOrPlan(principal: Principal, row: JobRecord, ask: ForkAsk): Promise<ForkStarted | ForkPlanView> {
    if (row.kind === 'neuron') return forkAgent({ db, temporal, jobStarter }, principal, row, ask)
    const plannedFork = await planFork(principal, row, ask)
    return ask.dry_run ? presentPlan(row.job_id, plannedFork.plan) : start(principal, ask, plannedFork)
  }

  return {
    fork: async (principal, jobId, request, idempotency) => {
      const row = await getForkableJob(deps, principal, jobId, idempotency)
      return forkOrPlan(principal, row, { ...request, kind: 'fork', idempotency })
    },

    retry: async (principal, jobId, request, idempotency) => {
      const row = await getForkableJob(deps, principal, jobId, idempotency)
      if (row.status !== 'failed')
        throw new ValidationError(`The job is ${row.status}: only a failed job can be retried`)
      return forkOrPlan(principal, row, {
        ...request,
        kind: 'retry',
        named: row.failed_node_key ?? undefined,
        idempotency,
      })
    },

    reopen: async (principal, interventionId, { reason, dry_run }, idempotency) => {
      const { record: intervention } = await db.inWorkspace(principal.workspace_id, tx =>
        getIntervention(tx, principal, interventionId),
      )
      const row = await getForkableJob(deps, principal, intervention.job_id, idempotency)
      const { assignees, excluded, status, node_key, handling } = intervention
      const denied = assigneeProblem({ assignees, excluded, ...handling }, principal)
      if (denied) throw new Forbidden(denied)
      if (row.kind === 'neuron')
        throw new Conflict(
          `A decision within an agent step cannot be reopened: fork the run at that step (${node_key})`,
        )
      if (status !== 'decided' && status !== 'timed_out')
        throw new Conflict(`The intervention is ${status}: only a decided or timed-out intervention can be reopened`)
      return forkOrPlan(principal, row, { kind: 'reopen', from_node: node_key, reason, dry_run, idempotency })
    },
  }
}

const invalidForkError = (pointer: string, message: string) => forkError([{ pointer, message }])

function buildForkJob(job: JobRef, { origin, pathway, pins, input, title, plan }: PlannedFork): JobStart {
  const { row, nodes } = origin
  const { definition, ...named } = pathway
  const { requester } = row
  const { subflows, neurons } = pins
  const built = buildPathwayJob({ job, pathway: { ...named, title }, definition, subflows, neurons, input, requester })
  const engine = { ...plan.state, run: { ...plan.state.run, id: job.job_id } }
  const milestones = [
    ...showCopied(nodes, plan.copied, new Date().toISOString()),
    ...plan.milestones.map(({ output: _output, ...milestone }) => milestone),
  ]
  const { workflow } = built
  const snapshot = buildForkSnapshot(engine, plan.deadlines, milestones.slice(-MAX_SHOWN))
  const details = `${workflow.details} Fork of \`${row.job_id}\`.`
  return { ...built, workflow: { ...workflow, details, args: [...workflow.args, snapshot] } }
}

/** Maximum number of copied nodes that the Temporal UI displays. */
const MAX_SHOWN = 200

async function writeFork(
  evaluator: Evaluator,
  tx: Tx,
  principal: Principal,
  job: JobRef,
  ask: ForkAsk,
  plannedFork: PlannedFork,
): Promise<void> {
  const { origin, pathway, input, plan, changes } = plannedFork
  const { kind, reason, from_node, named = from_node ?? null, bulk_job_id } = ask
  const { row, outputs } = origin
  const { copied } = plan
  const decisions = {
    asked_again: plan.asked_again.slice(0, MAX_LISTED),
    kept: plan.kept_decisions.slice(0, MAX_LISTED),
    repeated: listRepeatedAfterDecision(plan).slice(0, MAX_LISTED),
  }
  const fork = { job, origin: row, kind, reason, from_node: named, changes, decisions, copied, outputs, bulk_job_id }
  await recordFork(tx, principal, fork)
  await saveMilestones(tx, job.job_id, plan.milestones)
  const { job_id } = job
  await copyFiles(tx, listUuids(JSON.stringify(plan.state)), row, { job_id })
  if (changes.input)
    await attachInputFiles(evaluator, tx, principal, job_id, { schema: pathway.definition.input, input })
}

/** Maximum number of entries in each list of a plan. */
const MAX_LISTED = 1_000

const presentPlan = (jobId: string, { reused, asked_again, runs, repeated }: ForkPlan): ForkPlanView => ({
  job_id: jobId,
  dry_run: true,
  counts: {
    reused: reused.length,
    asked_again: asked_again.length,
    runs: runs.length,
    repeated_effects: repeated.length,
  },
  reused: reused.slice(0, MAX_LISTED),
  asked_again: asked_again.slice(0, MAX_LISTED),
  runs: runs.slice(0, MAX_LISTED),
  repeated_effects: repeated.slice(0, MAX_LISTED),
})

/** Lists effects that a fork would repeat after a decision that still applies. */
const listRepeatedAfterDecision = ({ repeated }: ForkPlan): ForkPlan['repeated'] =>
  repeated.filter(({ decided_at }) => decided_at.length > 0)

/**
 * Throws Forbidden if a fork would repeat an effect after a decision without asking for that decision again. The
 * requester and people who may decide in the run are exempt.
 */
function checkRepeats({ person, people }: Principal, row: JobRecord, plan: ForkPlan): void {
  const [effect] = listRepeatedAfterDecision(plan)
  const [requester] = row.people
  if (!effect || person === requester || !people.some(name => row.people.includes(name))) return
  throw new Forbidden(
    `${effect.key} would run again after the decision at ${effect.decided_at.join(', ')}: only ${requester ?? row.requester} or someone who is not behind the run may repeat it`,
  )
}
