import { isCancellation, proxyLocalActivities, sleep, startChild, workflowInfo } from '@temporalio/workflow'
import type { Workflow } from '@temporalio/common'
import type { PathwayProjections } from '../../../activities/types.ts'
import { renderConsoleLink } from '../../../domain/shared/console-link.ts'
import { findChildPriority } from '../../../domain/shared/fairness/run-priority.ts'
import { buildRunAttributes, WORKSPACE, buildNeuronAttributes, buildPathwayAttributes } from './attributes.ts'
import { NEURON_WORKFLOW, type NeuronRunInput } from '../../agents/messages.ts'
import { describeFailure } from '../failures.ts'
import { buildRunInput, PATHWAY_WORKFLOW, type PathwayRunInput } from '../../pathways/messages.ts'
import { RECORD_OPTIONS } from '../steps/activity-options.ts'
import type { ChildHandle } from '../steps/command-executor.ts'
import { getChildStarts } from '../fairness/child-starts.ts'
import { nonCancellable } from '../scopes.ts'

const { finish } = proxyLocalActivities<PathwayProjections>(RECORD_OPTIONS)

/** A child run with the input of its workflow. */
export type ChildRun = ChildStartOptions &
  ({ type: 'pathway'; run: PathwayRunInput } | { type: 'neuron'; run: NeuronRunInput })

export interface ChildStartOptions {
  /** Delay before the start, if the workspace starts many runs while other workspaces have work. */
  delay_ms?: number
  /** URL of the console's run list, if the service has a public URL. */
  console_runs?: string
}

/**
 * Writes the row of a child run and starts the run. Cancelling the parent cancels the child. If the child cannot
 * start, its row ends as failed or cancelled.
 * @param open writes the row
 */
export const startChildRun = (open: () => Promise<ChildRun>, key: string): Promise<ChildHandle> =>
  getChildStarts().add(() => openAndStart(open, key))

async function openAndStart(open: () => Promise<ChildRun>, key: string): Promise<ChildHandle> {
  const child = await nonCancellable(open)
  try {
    if (child.delay_ms) await sleep(child.delay_ms, { summary: `the workspace starts many runs: ${key}` })
    return await start(child, key)
  } catch (error) {
    await nonCancellable(() => endUnstarted(child, error))
    throw error
  }
}

function endUnstarted({ run: { job } }: ChildRun, error: unknown): Promise<void> {
  const outcome = isCancellation(error) ? 'cancelled' : 'failed'
  const at = new Date().toISOString()
  return finish({ job, outcome, error: describeFailure(error).error, at, nodes: [], interventions: [] })
}

function start(child: ChildRun, key: string): Promise<ChildHandle> {
  const { job, requester } = child.run
  const workspace = workflowInfo().typedSearchAttributes.get(WORKSPACE) ?? ''
  const [workflow, title, attributes] =
    child.type === 'pathway'
      ? [PATHWAY_WORKFLOW, child.run.pathway.title, buildPathwayAttributes(child.run.pathway)]
      : [NEURON_WORKFLOW, child.run.neuron.title, buildNeuronAttributes(child.run.neuron)]
  return startChild<Workflow>(workflow, {
    workflowId: job.job_id,
    args: [child.type === 'pathway' ? buildRunInput(child.run) : child.run],
    staticSummary: `${title} (for ${key})`,
    staticDetails: child.console_runs && renderConsoleLink(child.console_runs, job.job_id),
    priority: { priorityKey: findPriority() },
    parentClosePolicy: 'REQUEST_CANCEL',
    cancellationType: 'WAIT_CANCELLATION_COMPLETED',
    typedSearchAttributes: [...buildRunAttributes({ workspace, kind: child.type, title, requester }), ...attributes],
  })
}

function findPriority(): number {
  const { parent, priority } = workflowInfo()
  const isNested = parent !== undefined
  return findChildPriority({ parent: priority?.priorityKey, isNested, earlier: getChildStarts().started - 1 })
}
