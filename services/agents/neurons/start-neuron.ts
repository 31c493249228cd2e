import type { Tx } from '../../../data/shared/database.ts'
import type { PinnedResource } from '../../../data/resources/pinned-resources-store.ts'
import { hasFiles } from '../../../data/documents/files-store.ts'
import type { TraceTarget } from '../../../data/agents/traces-store.ts'
import { requirePermission } from '../../../domain/access/rights.ts'
import type { JobRef } from '../../../domain/runs/jobs.ts'
import type { TraceTurn } from '../../../domain/agents/run-spec.ts'
import { isVisitorName, type Principal } from '../../../domain/access/principal.ts'
import { buildNeuronAttributes } from '../../../workflows/shared/run/attributes.ts'
import { NEURON_WORKFLOW, type NeuronRunInput } from '../../../workflows/agents/messages.ts'
import { inContext } from '../../access/brains.ts'
import { beginTurn, requireTurn } from '../conversations/turns.ts'
import type { ClaimedJob, JobStart, JobStarter } from '../../runs/start/job-starter.ts'
import { missingReferenceError } from '../../pathways/references.ts'
import { findNeuron, type ResolvedRun, resolveRun, toPinnedNeuron } from './run-spec.ts'
import type { NeuronsService } from './neurons.ts'
import type { MessageInput } from '../conversations/conversations.ts'
import type { JsonObject } from '../../../domain/shared/json/json.ts'

export interface NeuronCall extends MessageInput {
  /** Id or slug, with an optional `@version`. */
  neuron: string
  /** Values for the instruction variables. */
  variables?: JsonObject
}

/** Starts neuron runs. One transaction writes the messages, the thread's turn, the pins and the job. */
export function createStartNeuron(jobStarter: JobStarter): NeuronsService['start'] {
  return async (caller, call, idempotency) => {
    const principal = inContext(caller)
    return jobStarter.start(principal, idempotency, async (tx, claimJob) => {
      const head = await getNeuron(tx, principal, call.neuron)
      const jobStart = await buildNeuronRun(tx, principal, head, await claimJob(head.slug), call)
      const { job, trace } = jobStart
      return { jobStart, response: { job_id: job.job_id, trace_id: trace.trace_id, status: 'pending' } }
    })
  }
}

/** Builds a neuron run, in the transaction that claimed the run's job. */
export async function buildNeuronRun(
  tx: Tx,
  principal: Principal,
  head: PinnedResource,
  { job, requester, existing }: ClaimedJob,
  call: Omit<NeuronCall, 'neuron'>,
): Promise<JobStart & { trace: TraceTurn }> {
  requirePermission(principal, 'conversations:write', 'jobs:start')
  // A repeated request runs the version that the first request pinned.
  const neuron = existing ? await getNeuron(tx, principal, `${existing.neuron_id}@${existing.neuron_version}`) : head
  const { variables, options, files = [], trace_id } = call
  const has_files = files.length > 0 || (trace_id !== undefined && (await hasFiles(tx, trace_id)))
  const resolved = await resolveRun(tx, principal, neuron, { requester, variables, ...options, has_files })
  const trace = existing
    ? requireTurn(existing)
    : await beginTurn(tx, principal, job.job_id, call, getTraceTarget(call, neuron))
  return { ...buildNeuronJob({ job, found: neuron, resolved, trace, requester, call }), trace }
}

export async function getNeuron(tx: Tx, principal: Principal, ref: string): Promise<PinnedResource> {
  const neuron = await findNeuron(tx, ref, principal)
  if (!neuron) throw await missingReferenceError(tx, 'neurons', ref, principal)
  return neuron
}

const getTraceTarget = ({ receptor_id }: Pick<NeuronCall, 'receptor_id'>, { id }: PinnedResource): TraceTarget =>
  receptor_id ? { type: 'receptor', id: receptor_id } : { type: 'neuron', id }

interface NeuronRun {
  job: JobRef
  found: PinnedResource
  resolved: ResolvedRun
  trace: TraceTurn
  requester: string
  call: Pick<NeuronCall, 'receptor_id'>
}

function buildNeuronJob({ job, found: pinnedNeuron, resolved, trace, requester, call }: NeuronRun): JobStart {
  const neuron = toPinnedNeuron(pinnedNeuron)
  const asks = isVisitorName(requester) ? { asks: [requester] } : {}
  const run: NeuronRunInput = { neuron, requester, ...asks, trace, limits: resolved.limits, job }
  const details = `Neuron **${neuron.slug}** (version ${neuron.version}), started by ${requester}. Job \`${job.job_id}\`.`
  return {
    job,
    kind: 'neuron',
    title: neuron.title,
    requester,
    // The messages are in the thread.
    input: null,
    neuron,
    receptor_id: call.receptor_id,
    trace,
    run_spec: resolved.spec,
    workflow: { type: NEURON_WORKFLOW, args: [run], details, attributes: buildNeuronAttributes(neuron) },
  }
}
