import { ContinueAsNew, isCancellation, proxyLocalActivities, setCurrentDetails } from '@temporalio/workflow'
import type { FinishInput, PathwayProjections } from '../../../activities/types.ts'
import type { JobRef } from '../../../domain/runs/jobs.ts'
import type { NodeMilestone, NodeStatus } from '../../../domain/runs/nodes.ts'
import type { JsonValue } from '../../../domain/shared/json/json.ts'
import { describeFailure } from '../failures.ts'
import { RECORD_OPTIONS } from '../steps/activity-options.ts'
import { throwUnlessCompleted } from './end.ts'
import { nonCancellable } from '../scopes.ts'
import { now } from '../deterministic.ts'
import type { JobOutcome } from '../view/job-details.ts'

const { record, finish } = proxyLocalActivities<PathwayProjections>(RECORD_OPTIONS)

interface SingleJob<Result> {
  job: JobRef
  /** Name of the job's only step. */
  step: string
  /**
   * Does the work. Cancelling the workflow stops the work, so cleanup must be non-cancellable. The work may continue
   * as new.
   */
  work: () => Promise<Result>
  /** Renders the run as Markdown for the Temporal UI. */
  details: (outcome: JobOutcome<Result>) => string
  /** Returns the number of units processed, such as pages. */
  total: (result: Result) => number
  /** Returns the node's output. Omit for long results. */
  output?: (result: Result) => JsonValue
}

interface End<Result> extends Pick<FinishInput, 'outcome' | 'error' | 'receipt'> {
  result?: Result
}

/** Runs a single-step job and records its start and end. On failure, throws with the error code as failure type. */
export async function runSingleJob<Result extends object>(single: SingleJob<Result>): Promise<Result> {
  const { job, step, details } = single
  setCurrentDetails(details('running'))
  const nodes = [buildMilestone(step, 'running')]
  await nonCancellable(() => record({ job, status: 'running', seq: 1, current_step: step, nodes, interventions: [] }))
  const end = await runStep(single)
  setCurrentDetails(details(end.result ?? end.error ?? 'cancelled'))
  await nonCancellable(() => finish(buildFinishInput(single, end)))
  throwUnlessCompleted(end)
  return end.result as Result
}

async function runStep<Result>({ step, work }: SingleJob<Result>): Promise<End<Result>> {
  try {
    return { outcome: 'completed', result: await work() }
  } catch (error) {
    // The SDK implements continue-as-new by throwing ContinueAsNew.
    if (error instanceof ContinueAsNew) throw error
    if (!isCancellation(error)) return { outcome: 'failed', error: describeFailure(error).error }
    return { outcome: 'cancelled', receipt: [{ node_id: step, key: step, outcome: 'stopped' }] }
  }
}

function buildFinishInput<Result>(
  { job, step, total, output }: SingleJob<Result>,
  { result, ...end }: End<Result>,
): FinishInput {
  const node = { ...buildMilestone(step, end.outcome), output: result && output?.(result), error: end.error }
  const all = result && total(result)
  const progress = all === undefined ? undefined : { done: all, total: all }
  const json = result as JsonValue | undefined
  return { ...end, job, result: json, seq: 2, progress, at: now(), nodes: [node], interventions: [] }
}

const buildMilestone = (step: string, status: NodeStatus): NodeMilestone => ({
  key: step,
  node_id: step,
  node_type: step,
  status,
  at: now(),
})
