import type { Database, Tx } from '../../data/database.ts'
import { insertJob } from '../../data/jobs-store.ts'
import { saveMessages } from '../../data/trace-messages-store.ts'
import { insertTrace, saveRunSpec } from '../../data/traces-store.ts'
import { ValidationError } from '../../domain/errors.ts'
import { inside, type JobRef } from '../../domain/jobs.ts'
import type { JsonObject } from '../../domain/json.ts'
import { userPosition } from '../../domain/neurons/messages.ts'
import type { PinnedNeuron, RunTool, TraceTurn } from '../../domain/neurons/run-spec.ts'
import { uuidOf } from '../../domain/name-uuid.ts'
import { compileSchema } from '../../domain/schemas/json-schema.ts'
import type { NeuronRunInput } from '../../workflows/neuron/messages.ts'
import type { ChildRun } from '../../workflows/child-runs.ts'
import { pinRun, resolvePinned } from '../pathways/pinning.ts'
import { missingReference } from '../pathways/references.ts'
import { findNeuron, openRun, pinnedOf } from './run-spec.ts'

/** A run that another run starts. */
interface ChildOf {
  job: JobRef
  parent_key: string
  requester: string
}

export interface ChildOpening {
  /** Prepares the run that a call of a tool is. Throws NotFound, ValidationError. Doing it twice changes nothing. */
  openCall(input: ChildOf & { job_id: string; tool: RunTool; args: JsonObject }): Promise<ChildRun>
  /** The same for a neuron that was pinned. `job` is the child's own. */
  openNeuron(
    input: ChildOf & { neuron: PinnedNeuron; message: string; variables?: JsonObject },
  ): Promise<NeuronRunInput>
}

/** Runs inside of runs, at most. */
const MAX_DEPTH = 8

/** Opens the runs that runs start: their rows, their pins, and for a neuron a thread of its own. */
export function createChildOpening({ db }: { db: Database }): ChildOpening {
  async function openNeuron(
    tx: Tx,
    {
      job,
      parent_key,
      requester,
      ref,
      message,
      variables,
    }: ChildOf & {
      ref: string
      message: string
      variables?: JsonObject
    },
  ): Promise<NeuronRunInput> {
    const principal = { brain_ids: job.brain_ids ?? null }
    const found = await findNeuron(tx, ref, principal)
    if (!found) throw await missingReference(tx, 'neurons', ref, principal)
    const { spec, limits } = await openRun(tx, principal, found, { requester, variables })
    const neuron = pinnedOf(found)
    const trace = await ownTrace(tx, job, neuron, requester)
    const row = { ...rowOf(job, parent_key, requester), title: neuron.title, pathway_id: null, pathway_version: null }
    await insertJob(tx, {
      ...row,
      kind: 'neuron',
      input: null,
      neuron_id: neuron.id,
      neuron_version: neuron.version,
      ...trace,
    })
    const said = {
      ...trace,
      position: userPosition(0),
      job_id: job.job_id,
      role: 'user' as const,
      content: { text: message },
    }
    await Promise.all([saveRunSpec(tx, job.job_id, spec), saveMessages(tx, [said])])
    return { job, parent_key, neuron, trace, limits, requester }
  }

  async function openPathway(tx: Tx, child: ChildOf, ref: string, input: JsonObject): Promise<ChildRun> {
    const { job, parent_key, requester } = child
    const principal = { brain_ids: job.brain_ids ?? null }
    const pinned = await resolvePinned(tx, ref, principal)
    if (!pinned) throw await missingReference(tx, 'pathways', ref, principal)
    const { definition } = pinned
    const compiled = definition.input && compileSchema(definition.input)
    const problems = compiled && 'validate' in compiled ? compiled.validate(input, '') : (compiled?.problems ?? [])
    if (problems.length > 0) throw new ValidationError('The input must match the input schema of the pathway', problems)
    const row = { ...rowOf(job, parent_key, requester), title: pinned.title }
    await insertJob(tx, { ...row, pathway_id: pinned.id, pathway_version: pinned.version, input })
    return { type: 'pathway', run: { ...(await pinRun(tx, principal, pinned)), job, parent_key, input, requester } }
  }

  return {
    openCall: ({ job: parent, job_id, parent_key, requester, tool, args }) => {
      const job = { ...parent, job_id, ...inside(parent) }
      if (job.depth > MAX_DEPTH) throw new ValidationError(`Runs must be nested at most ${MAX_DEPTH} levels deep`)
      const child = { job, parent_key, requester }
      const { target = '' } = tool
      return db.inWorkspace(job.workspace_id, async tx => {
        if (tool.source === 'pathway') return openPathway(tx, child, target, args)
        const { message, ...variables } = args
        return {
          type: 'neuron',
          run: await openNeuron(tx, { ...child, ref: target, message: textOf(message), variables }),
        }
      })
    },

    openNeuron: ({ neuron, ...child }) => {
      if ((child.job.depth ?? 0) > MAX_DEPTH)
        throw new ValidationError(`Runs must be nested at most ${MAX_DEPTH} levels deep`)
      const ref = `${neuron.id}@${neuron.version}`
      return db.inWorkspace(child.job.workspace_id, tx => openNeuron(tx, { ...child, ref }))
    },
  }
}

const textOf = (message: unknown): string => (typeof message === 'string' ? message : JSON.stringify(message ?? ''))

const rowOf = ({ job_id, root_job_id, parent_job_id, brain_id }: JobRef, parent_key: string, requester: string) => ({
  job_id,
  root_job_id,
  parent_job_id,
  brain_id: brain_id ?? null,
  parent_key,
  requester,
})

/** Named after the job, so that the same run opened again has the same thread. */
async function ownTrace(tx: Tx, job: JobRef, { id: neuronId, title }: PinnedNeuron, actor: string): Promise<TraceTurn> {
  const id = uuidOf(`trace of ${job.job_id}`)
  const target = { type: 'neuron' as const, id: neuronId }
  await insertTrace(tx, { id, brain_id: job.brain_id ?? null, trace_type: 'system', title, actor, target })
  return { trace_id: id, turn: 1 }
}
