import type { ActivityOptions, LocalActivityOptions, RetryPolicy } from '@temporalio/common'
import { durationMs } from '../../domain/durations.ts'
import type { RetryPolicy as NodeRetry } from '../../domain/pathway/definition.ts'
import type { EffectNode } from '../../domain/pathway/engine/commands.ts'
import { watched } from '../activity-options.ts'

/** Time limits of one attempt where a node sets none, in milliseconds. */
const DEFAULT_TIMEOUT: Record<EffectNode['type'], number> = {
  http: 60_000,
  neuron: 600_000,
  search: 60_000,
  tool: 120_000,
  transcribe: 3_600_000,
}

/** How a node's own `timeout` and `retry` become Temporal's. `timeout` bounds each attempt. */
export function activityOptions(node: EffectNode, summary: string): ActivityOptions {
  return {
    summary,
    startToCloseTimeout: (node.timeout && durationMs(node.timeout)) || DEFAULT_TIMEOUT[node.type],
    ...watched,
    retry: retryPolicy(node.retry),
  }
}

/** For short effects declared idempotent: they run inside the workflow task. */
export function localOptions(node: EffectNode, summary: string): LocalActivityOptions {
  return {
    summary,
    startToCloseTimeout: (node.timeout && durationMs(node.timeout)) || DEFAULT_TIMEOUT[node.type],
    retry: retryPolicy(node.retry),
  }
}

function retryPolicy(retry: NodeRetry = {}): RetryPolicy {
  return {
    maximumAttempts: retry.max_attempts ?? 5,
    initialInterval: (retry.initial && durationMs(retry.initial)) || 1_000,
    backoffCoefficient: retry.backoff ?? 2,
    maximumInterval: (retry.max && durationMs(retry.max)) || 60_000,
  }
}
