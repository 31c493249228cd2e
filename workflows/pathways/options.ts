import type { RetryPolicy } from '@temporalio/common'
import { parseDurationMs } from '../../domain/shared/durations.ts'
import type { EffectNode, RetryPolicy as NodeRetry } from '../../domain/pathways/definition.ts'
import { getNodeKind } from '../../domain/pathways/kinds/index.ts'
import { HEARTBEATED } from '../shared/steps/activity-options.ts'
import type { StepOptions } from '../shared/steps/step-runner.ts'

/** Converts the `timeout` and `retry` of a node to activity options. `timeout` limits each attempt. */
export function buildActivityOptions(node: EffectNode, key: string, summary = key): StepOptions {
  return {
    activityId: key,
    summary,
    startToCloseTimeout: findAttemptTimeoutMs(node),
    ...HEARTBEATED,
    retry: buildRetryPolicy(node.retry),
  }
}

/** Returns the time limit of one attempt. */
const findAttemptTimeoutMs = ({ type, timeout }: EffectNode): number | undefined =>
  (timeout && parseDurationMs(timeout)) || getNodeKind(type).effect?.defaultTimeoutMs

function buildRetryPolicy(retry: NodeRetry = {}) {
  const initialInterval = (retry.initial && parseDurationMs(retry.initial)) || 1_000
  return {
    maximumAttempts: retry.max_attempts ?? 5,
    initialInterval,
    backoffCoefficient: retry.backoff ?? 2,
    // Temporal refuses a maximum below the initial interval.
    maximumInterval: Math.max((retry.max && parseDurationMs(retry.max)) || 60_000, initialInterval),
  } satisfies RetryPolicy
}
