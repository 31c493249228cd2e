import type { ActivityOptions, LocalActivityOptions, RetryPolicy } from '@temporalio/common'
import { parseDurationMs } from '../../domain/durations.ts'
import type { RetryPolicy as NodeRetry } from '../../domain/pathway/definition.ts'
import type { EffectNode } from '../../domain/pathway/engine/commands.ts'
import { getNodeKind } from '../../domain/pathway/kinds/index.ts'
import { watched } from '../activity-options.ts'

/** How a node's own `timeout` and `retry` become Temporal's. `timeout` bounds each attempt. */
export function activityOptions(node: EffectNode, summary: string): ActivityOptions {
  return {
    summary,
    startToCloseTimeout: attemptTimeoutMs(node),
    ...watched,
    retry: retryPolicy(node.retry),
  }
}

/** For short effects declared idempotent: they run inside the workflow task. */
export function localOptions(node: EffectNode, summary: string): LocalActivityOptions {
  return {
    summary,
    startToCloseTimeout: attemptTimeoutMs(node),
    retry: retryPolicy(node.retry),
  }
}

const attemptTimeoutMs = ({ type, timeout }: EffectNode): number | undefined =>
  (timeout && parseDurationMs(timeout)) || getNodeKind(type).effect?.defaultTimeoutMs

function retryPolicy(retry: NodeRetry = {}): RetryPolicy {
  return {
    maximumAttempts: retry.max_attempts ?? 5,
    initialInterval: (retry.initial && parseDurationMs(retry.initial)) || 1_000,
    backoffCoefficient: retry.backoff ?? 2,
    maximumInterval: (retry.max && parseDurationMs(retry.max)) || 60_000,
  }
}
