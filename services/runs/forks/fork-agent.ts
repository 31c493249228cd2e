import type { Database, Tx } from '../../../data/shared/database.ts'
import { listRecordedNodes } from '../../../data/runs/job-forks-store.ts'
import { listMentionedIds } from '../../../data/agents/trace-messages-store.ts'
import { copyTrace, findRunSpec } from '../../../data/agents/traces-store.ts'
import { copyFiles } from '../../../data/documents/files-store.ts'
import { Conflict } from '../../../domain/shared/errors.ts'
import { union } from '../../../domain/people/handling.ts'
import type { JobRef } from '../../../domain/runs/jobs.ts'
import type { JobRecord } from '../../../data/runs/jobs-store.ts'
import { deriveUuid } from '../../../domain/shared/name-uuid.ts'
import { answerPosition } from '../../../domain/agents/messages.ts'
import type { NeuronRunSpec } from '../../../domain/agents/run-spec.ts'
import type { RecordedNode } from '../../../domain/pathways/fork/types.ts'
import type { Principal } from '../../../domain/access/principal.ts'
import { buildNeuronAttributes } from '../../../workflows/shared/run/attributes.ts'
import { buildForkSnapshot } from '../../../workflows/agents/controller.ts'
import { buildStepKey } from '../../../workflows/agents/keys.ts'
import { NEURON_WORKFLOW, type NeuronRunInput } from '../../../workflows/agents/messages.ts'
import { inBrain } from '../../access/brains.ts'
import type { Temporal } from '../../shared/temporal.ts'
import type { JobStart, JobStarter } from '../start/job-starter.ts'
import type { ForkStarted, ForkPlanView } from '../../../contract/runs/fork.ts'
import { forkError, type ForkAsk } from './fork-ask.ts'
import { createForkJobRef } from './fork-job.ts'
import { readStartedRun } from './read-started-run.ts'
import { recordFork, showCopied } from './record-fork.ts'

interface Deps {
  db: Database
  temporal: Temporal
  jobStarter: JobStarter
}

/** The start of an agent fork, and the steps that the fork keeps. */
interface StepPoint {
  step: number
  nodes: RecordedNode[]
  copied: string[]
}

/**
 * Forks an agent run at a step. A new thread gets the messages before the step, and the model is called again.
 * Without a step, forks at the last step. Throws ValidationError and Conflict.
 */
export async function forkAgent(
  { db, temporal, jobStarter }: Deps,
  principal: Principal,
  row: JobRecord,
  ask: ForkAsk,
): Promise<ForkStarted | ForkPlanView> {
  refuseChanges(ask)
  const { nodes, spec } = await db.inWorkspace(row.workspace_id, async tx => ({
    nodes: await listRecordedNodes(tx, row.job_id),
    spec: (await findRunSpec(tx, row.job_id)) as NeuronRunSpec | undefined,
  }))
  const point = findPoint(nodes, ask.from_node)
  if (ask.dry_run) return presentPlan(row, point)
  const startInput = await readStartedRun<NeuronRunInput>(temporal, row.job_id)
  if (!startInput || !spec) throw new Conflict('The limits and tools of the run are no longer stored')
  const from_node = buildStepKey(point.step)
  return jobStarter.start<ForkStarted>(inBrain(principal, row.brain_id), ask.idempotency, async (_tx, claimJob) => {
    const people = union(row.people, principal.people)
    const job = createForkJobRef(await claimJob(startInput.neuron.slug), row, { people, kind: ask.kind })
    return {
      jobStart: {
        ...buildAgentJob(job, row, startInput, point),
        run_spec: spec,
        writeMore: tx => writeFork(tx, principal, { job, row, ask: { ...ask, from_node }, point }),
      },
      response: { job_id: job.job_id, status: 'pending', forked_from: { job_id: row.job_id, from_node } },
    }
  })
}

function refuseChanges({ input, outputs, pathway_version }: ForkAsk): void {
  const problems = Object.entries({ input, outputs, pathway_version })
    .filter(([, value]) => value !== undefined)
    .map(([name]) => ({ pointer: `/${name}`, message: 'must not be given for a neuron run' }))
  if (problems.length > 0) throw forkError(problems)
}

const STEP = /^step-(\d+)(?=\/|$)/

const parseStep = (key: string): number => Number(STEP.exec(key)?.[1] ?? 0)

function findPoint(nodes: RecordedNode[], from: string | undefined): StepPoint {
  const last = Math.max(0, ...nodes.map(({ key }) => parseStep(key)))
  const key = from ?? buildStepKey(last)
  const step = parseStep(key)
  const pointError = (message: string) => forkError([{ pointer: '/from_node', message }])
  if (step === 0 || key !== buildStepKey(step)) throw pointError('must be the key of a step, such as step-2')
  const recorded = nodes.find(node => node.key === key)
  if (!recorded) throw pointError(`the run never reached ${key}`)
  const open = nodes.find(node => parseStep(node.key) === step && ['running', 'waiting'].includes(node.status))
  if (open) throw new Conflict(`the run is still in ${open.key}: cancel it or wait until it ends`)
  return { step, nodes, copied: nodes.map(node => node.key).filter(nodeKey => parseStep(nodeKey) < step) }
}

function buildAgentJob(
  job: JobRef,
  row: JobRecord,
  { neuron, limits, requester }: NeuronRunInput,
  { step, nodes, copied }: StepPoint,
): JobStart {
  const trace = { trace_id: deriveTraceId(job), turn: row.turn ?? 1 }
  const run: NeuronRunInput = { neuron, requester, trace, limits, job }
  const milestones = showCopied(nodes, copied, new Date().toISOString())
  const details = `Neuron **${neuron.slug}** (version ${neuron.version}), started by ${requester}. Job \`${job.job_id}\`. Fork of \`${row.job_id}\`.`
  const args = [run, buildForkSnapshot(step, limits, milestones)]
  return {
    job,
    kind: 'neuron',
    title: row.title,
    requester,
    input: null,
    neuron,
    trace,
    workflow: { type: NEURON_WORKFLOW, args, details, attributes: buildNeuronAttributes(neuron) },
  }
}

/** The id is derived from the job so that a retry uses the same thread. */
const deriveTraceId = ({ job_id }: JobRef): string => deriveUuid(`trace of ${job_id}`)

interface AgentFork {
  job: JobRef
  row: JobRecord
  ask: ForkAsk
  point: StepPoint
}

async function writeFork(tx: Tx, principal: Principal, { job, row, ask, point }: AgentFork): Promise<void> {
  const { kind, reason, from_node = null, bulk_job_id } = ask
  const { step, copied } = point
  const changes = { input: false, pathway_version: false, outputs: [] }
  const turn = { turn: row.turn ?? 1, before: answerPosition(step) }
  const trace_id = deriveTraceId(job)
  await copyTrace(tx, { from: row.trace_id ?? '', to: trace_id, ...turn })
  await copyFiles(tx, await listMentionedIds(tx, trace_id), row, { trace_id })
  const decisions = { asked_again: [], kept: [], repeated: [] }
  await recordFork(tx, principal, {
    job,
    origin: row,
    kind,
    reason,
    from_node,
    changes,
    decisions,
    copied,
    bulk_job_id,
  })
}

/** The kinds of agent nodes without side effects. */
const WITHOUT_EFFECT = new Set(['model', 'human'])

function presentPlan({ job_id }: JobRecord, { step, nodes, copied }: StepPoint): ForkPlanView {
  const copiedKeys = new Set(copied)
  const reused = nodes
    .filter(({ key }) => copiedKeys.has(key))
    .map(({ key, node_id, node_type }) => ({ key, node_id, node_type, is_replaced: false }))
  const { key, node_id, node_type } = nodes.find(node => node.key === buildStepKey(step)) as RecordedNode
  const repeated_effects = nodes
    .filter(node => !copiedKeys.has(node.key) && !WITHOUT_EFFECT.has(node.node_type))
    .map(node => ({
      key: node.key,
      node_id: node.node_id,
      node_type: node.node_type,
      status: node.status,
      decided_at: [],
    }))
  const counts = { reused: reused.length, asked_again: 0, runs: 1, repeated_effects: repeated_effects.length }
  return {
    job_id,
    dry_run: true,
    counts,
    reused,
    asked_again: [],
    runs: [{ key, node_id, node_type, reason: 'fork_point' }],
    repeated_effects,
  }
}
