import type { Database, Tx } from '../../../data/shared/database.ts'
import { saveMessages } from '../../../data/agents/trace-messages-store.ts'
import { insertTrace, saveRunSpec } from '../../../data/agents/traces-store.ts'
import { ValidationError } from '../../../domain/shared/errors.ts'
import { joinLabels, type Labels, buildLabelField } from '../../../domain/pathways/labels/labels.ts'
import { buildParentFields, type JobRef } from '../../../domain/runs/jobs.ts'
import { toJobFields } from '../../../data/runs/jobs-store.ts'
import type { JsonObject } from '../../../domain/shared/json/json.ts'
import { userPosition } from '../../../domain/agents/messages.ts'
import type { PinnedNeuron, RunTool, TraceTurn } from '../../../domain/agents/run-spec.ts'
import { deriveUuid } from '../../../domain/shared/name-uuid.ts'
import type { NeuronRunInput } from '../../../workflows/agents/messages.ts'
import type { ChildRun } from '../../../workflows/shared/run/child-runs.ts'
import { getBrainAccess } from '../../access/brains.ts'
import { toFileRef, useFiles } from '../../documents/files.ts'
import type { Evaluator } from '../../pathways/evaluation/evaluator.ts'
import { startChild } from '../../runs/start/start-child.ts'
import { prepareRun } from '../../runs/start/start-pathway.ts'
import { pinRun, resolvePinned } from '../../pathways/pinning.ts'
import { missingReferenceError } from '../../pathways/references.ts'
import { findNeuron, resolveRun, toPinnedNeuron } from './run-spec.ts'

/** A child run to start. */
interface ChildRef {
  job: JobRef
  parent_key: string
  requester: string
}

/** The message that starts a neuron run. */
interface ChildMessage {
  message: string
  /** Ids of the message's files. */
  files?: string[]
  variables?: JsonObject
  boundary?: string
}

export interface ChildRunFactory {
  /** Writes a run for a tool call. Repeating the call has no effect. Throws NotFound and ValidationError. */
  createToolRun(
    input: ChildRef & { job_id: string; tool: RunTool; args: JsonObject; labels?: Labels },
  ): Promise<ChildRun>
  /** Writes a run for a pinned neuron. `job` is the child's job. */
  createNeuronRun(input: ChildRef & ChildMessage & { neuron: PinnedNeuron }): Promise<NeuronRunInput>
}

const MAX_DEPTH = 8

interface Deps {
  db: Database
  evaluator: Evaluator
}

/** Writes child runs: their rows, their pins, and a thread for each neuron run. */
export function createChildRunFactory({ db, evaluator }: Deps): ChildRunFactory {
  async function writeNeuronRun(
    tx: Tx,
    {
      job,
      parent_key,
      requester,
      ref,
      message,
      files: ids = [],
      variables,
      boundary,
    }: ChildRef & ChildMessage & { ref: string },
  ): Promise<NeuronRunInput> {
    const principal = getBrainAccess(job)
    const pinnedNeuron = await findNeuron(tx, ref, principal)
    if (!pinnedNeuron) throw await missingReferenceError(tx, 'neurons', ref, principal)
    const { spec, limits } = await resolveRun(tx, principal, pinnedNeuron, {
      requester,
      variables,
      has_files: ids.length > 0,
    })
    const neuron = toPinnedNeuron(pinnedNeuron)
    const trace = await insertChildTrace(tx, job, neuron, requester)
    const row = {
      ...buildRow(job, parent_key, requester),
      title: neuron.title,
      pathway_id: null,
      pathway_version: null,
    }
    const { id: neuron_id, version: neuron_version } = neuron
    await startChild(tx, job, requester, { ...row, kind: 'neuron', input: null, neuron_id, neuron_version, ...trace })
    const files = await useFiles(tx, job, ids)
    const firstMessage = {
      ...trace,
      position: userPosition(0),
      job_id: job.job_id,
      role: 'user' as const,
      content: {
        text: message,
        ...(files.length > 0 && { files: files.map(toFileRef) }),
        ...buildLabelField(job.labels ?? []),
      },
    }
    await Promise.all([
      saveRunSpec(tx, job.job_id, boundary === undefined ? spec : { ...spec, boundary }),
      saveMessages(tx, [firstMessage]),
    ])
    return { neuron, requester, trace, limits, parent_key, job }
  }

  async function writePathwayRun(tx: Tx, child: ChildRef, ref: string, args: JsonObject): Promise<ChildRun> {
    const { job, parent_key, requester } = child
    const principal = getBrainAccess(job)
    const pinned = await resolvePinned(tx, ref, principal)
    if (!pinned) throw await missingReferenceError(tx, 'pathways', ref, principal)
    const { input, title } = await prepareRun(evaluator, pinned, { job, requester, input: args }, '')
    const row = { ...buildRow(job, parent_key, requester), title }
    await startChild(tx, job, requester, { ...row, pathway_id: pinned.id, pathway_version: pinned.version, input })
    return {
      type: 'pathway',
      run: { ...(await pinRun(tx, principal, { ...pinned, title }, '/definition')), job, parent_key, input, requester },
    }
  }

  return {
    createToolRun: ({ job: parent, job_id, parent_key, requester, tool, args, labels }) => {
      const labelFields = buildLabelField(joinLabels(parent.labels, labels))
      const job = { ...parent, job_id, ...buildParentFields(parent, parent_key), ...labelFields }
      if (job.depth > MAX_DEPTH) throw new ValidationError(`Runs can be nested at most ${MAX_DEPTH} levels deep`)
      const child = { job, parent_key, requester }
      const { target = '' } = tool
      return db.inWorkspace(job.workspace_id, async tx => {
        if (tool.source === 'pathway') return writePathwayRun(tx, child, target, args)
        const { message, ...variables } = args
        return {
          type: 'neuron',
          run: await writeNeuronRun(tx, { ...child, ref: target, message: formatMessageText(message), variables }),
        }
      })
    },

    createNeuronRun: ({ neuron, ...child }) => {
      if ((child.job.depth ?? 0) > MAX_DEPTH)
        throw new ValidationError(`Runs can be nested at most ${MAX_DEPTH} levels deep`)
      const ref = `${neuron.id}@${neuron.version}`
      return db.inWorkspace(child.job.workspace_id, tx => writeNeuronRun(tx, { ...child, ref }))
    },
  }
}

const formatMessageText = (message: unknown): string =>
  typeof message === 'string' ? message : JSON.stringify(message ?? '')

const buildRow = (job: JobRef, parent_key: string, requester: string) => ({
  ...toJobFields(job),
  parent_key,
  requester,
})

/** The id is derived from the job so that a retry uses the same thread. */
async function insertChildTrace(
  tx: Tx,
  job: JobRef,
  { id: neuronId, title }: PinnedNeuron,
  actor: string,
): Promise<TraceTurn> {
  const id = deriveUuid(`trace of ${job.job_id}`)
  const target = { type: 'neuron' as const, id: neuronId }
  await insertTrace(tx, { id, brain_id: job.brain_id ?? null, trace_type: 'system', title, actor, target })
  return { trace_id: id, turn: 1 }
}
