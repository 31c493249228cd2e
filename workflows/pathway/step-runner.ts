import {
  ActivityFailure,
  ApplicationFailure,
  CancelledFailure,
  proxyActivities,
  proxyLocalActivities,
  sleep,
  TimeoutFailure,
} from '@temporalio/workflow'
import type { PathwayActivities, StepInput, StepResult } from '../../activities/types.ts'
import type { NodeError } from '../../domain/jobs.ts'
import type { EffectNode } from '../../domain/pathway/engine/commands.ts'
import { getNodeKind } from '../../domain/pathway/kinds/index.ts'
import { describeFailure } from '../failures.ts'
import { localQueue } from '../shared/local-queue.ts'
import { buildActivityOptions, buildLocalOptions, findAttemptTimeoutMs, toRetryPolicy } from './options.ts'

/**
 * The longest local attempt, and the longest time in which all steps are local. A workflow task takes no messages while
 * a local activity runs, so a longer one would delay answers and cancels.
 */
const MAX_LOCAL_MS = 500

/**
 * Executes the steps of a run as activities. The first attempt at a step that is short and idempotent is a local
 * activity, if no other is in flight: it saves round trips to the server. Further attempts are regular ones.
 */
export class StepRunner {
  /** The workflow time of the first local attempt since the last regular activity. */
  private localSince: number | undefined
  /** Nodes that took longer than a local attempt may. */
  private readonly slowNodes = new Set<string>()

  /** The failed local attempt of steps that are being retried, by key. */
  readonly retries = new Map<string, NodeError>()
  private readonly onRetry: () => void

  constructor(onRetry: () => void) {
    this.onRetry = onRetry
  }

  /** Returns the result of a step. Throws the ActivityFailure of its last attempt. */
  async run(node: EffectNode, key: string, step: StepInput): Promise<StepResult> {
    if (!this.mayRunLocally(node)) return this.runRegularly(node, key, step)
    try {
      return await this.runLocally(node, key, step)
    } catch (error) {
      const { attempts, delay } = this.planRetry(node, error)
      if (attempts === 0) throw error
      if (delay !== undefined) this.noteRetry(key, error)
      if (delay) await sleep(delay, { summary: `retry: ${key}` })
      const retry = { ...node.retry, max_attempts: attempts }
      const earlier_attempts = delay === undefined ? 0 : 1
      const repeated = { ...step, preceding_milestones: [], run_update: undefined, earlier_attempts }
      return this.runRegularly({ ...node, retry }, key, repeated).finally(() => this.retries.delete(key))
    }
  }

  private async runLocally(node: EffectNode, key: string, step: StepInput): Promise<StepResult> {
    this.localSince ??= Date.now()
    const activities = proxyLocalActivities<PathwayActivities>(buildLocalOptions(node, key, MAX_LOCAL_MS))
    return activities[node.type](step)
  }

  private async runRegularly(node: EffectNode, key: string, step: StepInput): Promise<StepResult> {
    const activities = proxyActivities<PathwayActivities>(buildActivityOptions(node, key))
    try {
      return await activities[node.type](step)
    } finally {
      this.localSince = undefined
    }
  }

  private noteRetry(key: string, error: unknown): void {
    this.retries.set(key, describeFailure(error).error)
    this.onRetry()
  }

  private mayRunLocally(node: EffectNode): boolean {
    if (getNodeKind(node.type).effect?.isLocal?.(node) !== true || this.slowNodes.has(node.id)) return false
    return localQueue.isIdle && (this.localSince === undefined || Date.now() - this.localSince < MAX_LOCAL_MS)
  }

  /** An attempt that was only too long for a local one does not count. */
  private planRetry(node: EffectNode, error: unknown) {
    const cause = error instanceof ActivityFailure ? error.cause : error
    const { maximumAttempts, initialInterval } = toRetryPolicy(node.retry)
    if (cause instanceof CancelledFailure) return { attempts: maximumAttempts }
    if (cause instanceof TimeoutFailure && (findAttemptTimeoutMs(node) ?? Infinity) > MAX_LOCAL_MS) {
      this.slowNodes.add(node.id)
      return { attempts: maximumAttempts }
    }
    if (!(cause instanceof ApplicationFailure)) return { attempts: maximumAttempts - 1, delay: initialInterval }
    if (cause.nonRetryable) return { attempts: 0 }
    return { attempts: maximumAttempts - 1, delay: cause.nextRetryDelay ?? initialInterval }
  }
}
