import type { ActivityOptions, LocalActivityOptions, RetryPolicy } from '@temporalio/common'
import { parseDurationMs } from '../../domain/durations.ts'
import type { RetryPolicy as NodeRetry } from '../../domain/pathway/definition.ts'
import type { EffectNode } from '../../domain/pathway/engine/commands.ts'
import { getNodeKind } from '../../domain/pathway/kinds/index.ts'
import { HEARTBEATED } from '../activity-options.ts'

/** Converts the `timeout` and `retry` of a node to activity options. `timeout` limits each attempt. */
export function buildActivityOptions(node: EffectNode, key: string, summary = key): ActivityOptions {
  return {
    activityId: key,
    summary,
    startToCloseTimeout: findAttemptTimeoutMs(node),
    ...HEARTBEATED,
    retry: toRetryPolicy(node.retry),
  }
}

/** Builds the options of one local attempt. */
export function buildLocalOptions(node: EffectNode, summary: string, maxMs: number): LocalActivityOptions {
  return {
    summary,
    startToCloseTimeout: Math.min(findAttemptTimeoutMs(node) ?? maxMs, maxMs),
    retry: { maximumAttempts: 1 },
  }
}

/** Returns the time limit of one attempt. */
export const findAttemptTimeoutMs = ({ type, timeout }: EffectNode): number | undefined =>
  (timeout && parseDurationMs(timeout)) || getNodeKind(type).effect?.defaultTimeoutMs

export function toRetryPolicy(retry: NodeRetry = {}) {
  const initialInterval = (retry.initial && parseDurationMs(retry.initial)) || 1_000
  return {
    maximumAttempts: retry.max_attempts ?? 5,
    initialInterval,
    backoffCoefficient: retry.backoff ?? 2,
    // Temporal refuses a maximum below the initial interval.
    maximumInterval: Math.max((retry.max && parseDurationMs(retry.max)) || 60_000, initialInterval),
  } satisfies RetryPolicy
}
