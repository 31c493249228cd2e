import type { Database, Tx } from '../../data/database.ts'
import { findJob } from '../../data/jobs-store.ts'
import type { PinnedResource } from '../../data/pinned-resources-store.ts'
import { saveRunSpec, type TraceTarget } from '../../data/traces-store.ts'
import type { JobRecord, JobRef } from '../../domain/jobs.ts'
import type { TraceTurn } from '../../domain/neurons/run-spec.ts'
import type { Principal } from '../../domain/principal.ts'
import { neuronAttributes } from '../../workflows/neuron/attributes.ts'
import { NEURON_WORKFLOW, type NeuronRunInput } from '../../workflows/neuron/messages.ts'
import { openTurn, turnOf } from '../conversations/turns.ts'
import { claimKey } from '../idempotency.ts'
import type { Launch, Launcher } from '../jobs/launch.ts'
import { missingReference } from '../pathways/references.ts'
import { findNeuron, type OpenedRun, openRun, pinnedOf } from './opening.ts'
import type { NeuronCall, NeuronsService } from './types.ts'

interface Deps {
  db: Database
  launcher: Launcher
  idempotencyHours: number
}

interface Called {
  head: PinnedResource
  job: JobRef
  /** The row that an earlier request with the same key has written. */
  known?: JobRecord
}

interface Ready {
  launch: Launch
  isNew: boolean
  trace_id: string
}

/** Accepts runs of neurons: what was said, the thread's turn, the pins and the job are written in one transaction. */
export function createStart({ db, launcher, idempotencyHours }: Deps): NeuronsService['start'] {
  async function settle(tx: Tx, principal: Principal, call: NeuronCall, { head, job, known }: Called): Promise<Ready> {
    // Sent again, it is still the version of then.
    const found = known ? await requireNeuron(tx, `${known.neuron_id}@${known.neuron_version}`, principal) : head
    const opened = await openRun(tx, principal, found, {
      requester: principal.actor,
      variables: call.variables,
      ...call.options,
    })
    const trace = known ? turnOf(known) : await openTurn(tx, principal, job.job_id, call, targetOf(call, found))
    const launch = launchOf({ job, found, opened, trace, principal, call })
    if (known) return { launch, isNew: false, trace_id: trace.trace_id }
    await Promise.all([launcher.accept(tx, principal, launch), saveRunSpec(tx, job.job_id, opened.spec)])
    return { launch, isNew: true, trace_id: trace.trace_id }
  }

  return async (principal, call, idempotency) => {
    const { launch, isNew, trace_id } = await db.inWorkspace(principal.workspace_id, async tx => {
      const head = await requireNeuron(tx, call.neuron, principal)
      const drawn = launcher.refFor(principal, head.slug)
      const target = idempotency
        ? (await claimKey(tx, idempotency, drawn.job_id, idempotencyHours)).target
        : drawn.job_id
      const known = target === drawn.job_id ? undefined : await findJob(tx, target)
      return settle(tx, principal, call, { head, job: { ...drawn, job_id: target, root_job_id: target }, known })
    })
    await launcher.begin(launch, { isNew, canBeSentAgain: idempotency !== undefined })
    return { job_id: launch.job.job_id, trace_id, status: 'pending' }
  }
}

async function requireNeuron(tx: Tx, ref: string, principal: Principal): Promise<PinnedResource> {
  const found = await findNeuron(tx, ref, principal)
  if (!found) throw await missingReference(tx, 'neurons', ref, principal)
  return found
}

const targetOf = ({ receptor_id }: NeuronCall, { id }: PinnedResource): TraceTarget =>
  receptor_id ? { type: 'receptor', id: receptor_id } : { type: 'neuron', id }

interface Prepared {
  job: JobRef
  found: PinnedResource
  opened: OpenedRun
  trace: TraceTurn
  principal: Principal
  call: NeuronCall
}

function launchOf({ job, found, opened, trace, principal, call }: Prepared): Launch {
  const neuron = pinnedOf(found)
  const run: NeuronRunInput = { job, neuron, trace, limits: opened.limits, requester: principal.actor }
  const details = `Neuron **${neuron.slug}** (version ${neuron.version}), started by ${principal.actor}. Job \`${job.job_id}\`.`
  return {
    job,
    kind: 'neuron',
    title: neuron.title,
    requester: principal.actor,
    // What was said is in the thread.
    input: null,
    neuron,
    receptor_id: call.receptor_id,
    trace,
    workflow: { type: NEURON_WORKFLOW, args: [run], details, attributes: neuronAttributes(neuron) },
  }
}
