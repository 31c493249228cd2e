import { isCancellation, proxyLocalActivities, startChild } from '@temporalio/workflow'
import type { Workflow } from '@temporalio/common'
import type { PathwayProjections } from '../activities/types.ts'
import { runAttributes } from './attributes.ts'
import { neuronAttributes } from './neuron/attributes.ts'
import { NEURON_WORKFLOW, type NeuronRunInput } from './neuron/messages.ts'
import { pathwayAttributes } from './pathway/attributes.ts'
import { describe } from './failures.ts'
import { PATHWAY_WORKFLOW, type PathwayRunInput } from './pathway/messages.ts'
import { recordOptions } from './record-options.ts'
import type { ChildHandle } from './shared/command-executor.ts'
import { nonCancellable } from './shared/scopes.ts'

const { finish } = proxyLocalActivities<PathwayProjections>(recordOptions)

/** A run that another run starts, with the input of its workflow. */
export type ChildRun = { type: 'pathway'; run: PathwayRunInput } | { type: 'neuron'; run: NeuronRunInput }

/**
 * Opens a child run's row and starts the run. The parent's cancel reaches it, and a child that cannot start ends in its
 * row as failed or cancelled.
 * @param open writes the row
 */
export async function startChildRun(open: () => Promise<ChildRun>, key: string): Promise<ChildHandle> {
  const child = await nonCancellable(open)
  try {
    return await start(child, key)
  } catch (error) {
    await nonCancellable(() => endUnstarted(child, error))
    throw error
  }
}

function endUnstarted({ run: { job } }: ChildRun, error: unknown): Promise<void> {
  const outcome = isCancellation(error) ? 'cancelled' : 'failed'
  const at = new Date().toISOString()
  return finish({ job, outcome, error: describe(error).error, at, nodes: [], interventions: [] })
}

function start(child: ChildRun, key: string): Promise<ChildHandle> {
  const { job } = child.run
  const [workflow, title, attributes] =
    child.type === 'pathway'
      ? [PATHWAY_WORKFLOW, child.run.pathway.title, pathwayAttributes(child.run.pathway)]
      : [NEURON_WORKFLOW, child.run.neuron.title, neuronAttributes(child.run.neuron)]
  return startChild<Workflow>(workflow, {
    workflowId: job.job_id,
    args: [child.run],
    staticSummary: `${title} (for ${key})`,
    parentClosePolicy: 'REQUEST_CANCEL',
    cancellationType: 'WAIT_CANCELLATION_COMPLETED',
    typedSearchAttributes: [...runAttributes(job.workspace_id, child.type), ...attributes],
  })
}
