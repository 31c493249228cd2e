import { type ChildWorkflowHandle, startChild } from '@temporalio/workflow'
import type { Workflow } from '@temporalio/common'
import type { JobRef } from '../../domain/jobs.ts'
import { runAttributes } from '../attributes.ts'
import { neuronAttributes } from '../neuron/attributes.ts'
import { NEURON_WORKFLOW, type NeuronRunInput } from '../neuron/messages.ts'
import { pathwayAttributes } from '../pathway/attributes.ts'
import { PATHWAY_WORKFLOW, type PathwayRunInput } from '../pathway/messages.ts'

/** A run that another one starts, with all that it goes by. */
export type ChildRun = { type: 'pathway'; run: PathwayRunInput } | { type: 'neuron'; run: NeuronRunInput }

export type ChildHandle = ChildWorkflowHandle<Workflow>

/** A run inside runs inside runs: how deep, where it is not the outermost. */
export const deeper = ({ depth = 0 }: JobRef): Pick<JobRef, 'depth'> => ({ depth: depth + 1 })

/** Starts a child run; it is cancelled with its parent, and first undoes what it did. */
export function startChildRun(child: ChildRun, key: string): Promise<ChildHandle> {
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
