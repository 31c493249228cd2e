import {
  ActivityFailure,
  ApplicationFailure,
  CancelledFailure,
  proxyActivities,
  proxyLocalActivities,
  sleep,
  TimeoutFailure,
} from '@temporalio/workflow'
import type { ActivityOptions, RetryPolicy } from '@temporalio/common'
import type { StepInput, StepResult } from '../../../activities/types.ts'
import type { NodeError } from '../../../domain/runs/nodes.ts'
import { describeFailure } from '../failures.ts'
import { getLocalQueue } from './local-queue.ts'
import { throwIfCancelled } from '../scopes.ts'

/**
 * Maximum duration of a local attempt, and maximum period in which all steps are local. A workflow task accepts no
 * messages during a local activity, so a longer limit would delay answers and cancellations.
 */
const MAX_LOCAL_MS = 500

/** Options for all attempts of a step. The time limit applies to each attempt. */
export type StepOptions = ActivityOptions & {
  summary: string
  startToCloseTimeout?: number
  retry: RetryPolicy & { maximumAttempts: number; initialInterval: number }
}

/** Describes a step, so that the runner can decide how to execute it. */
export interface StepCall {
  /** The node key. */
  key: string
  /** Activity type. */
  type: string
  /** Name shared by all calls of a node or tool. If one call was slow, the other calls are not tried locally. */
  name: string
  /**
   * Whether the first attempt can be a local activity: never, only if no other local activity is in flight, or after
   * the previous ones. The step must be short and safe to retry.
   */
  local: 'never' | 'if_idle' | 'in_turn'
  options: StepOptions
  /** Builds the input when the step starts. */
  buildInput(): StepInput
}

type StepActivities = Record<string, (input: StepInput) => Promise<StepResult>>

/**
 * Executes the steps of a run as activities. The first attempt of a short step that is safe to retry is a local
 * activity, which saves round trips to the server. Later attempts are regular activities.
 */
export class StepRunner {
  /** Workflow time of the first local attempt since the last regular activity. */
  private localSince: number | undefined
  /** Names of steps that exceeded the limit of local attempts. */
  private readonly slow = new Set<string>()

  /** Failed local attempts of steps that are being retried, by key. */
  readonly retries = new Map<string, NodeError>()
  private readonly onRetry: () => void

  constructor(onRetry: () => void) {
    this.onRetry = onRetry
  }

  /** Returns the result of a step. Throws the ActivityFailure of its last attempt. */
  async run(call: StepCall): Promise<StepResult> {
    while (this.mustWait(call)) {
      await getLocalQueue().waitForLast()
      throwIfCancelled()
    }
    // Nothing may happen between the check and the start, such as the start of another local activity.
    const input = call.buildInput()
    if (!this.mayRunLocally(call)) return this.runRegularly(call, input)
    try {
      return await this.runLocally(call, input)
    } catch (error) {
      const { attempts, delay } = this.planRetry(call, error)
      if (attempts === 0) throw error
      if (delay !== undefined) this.noteRetry(call.key, error)
      if (delay) await sleep(delay, { summary: `retry: ${call.key}` })
      const options = { ...call.options, retry: { ...call.options.retry, maximumAttempts: attempts } }
      const earlier_attempts = delay === undefined ? 0 : 1
      const repeated = { ...input, preceding_milestones: [], run_update: undefined, earlier_attempts }
      return this.runRegularly({ ...call, options }, repeated).finally(() => this.retries.delete(call.key))
    }
  }

  private async runLocally({ key, type, options }: StepCall, input: StepInput): Promise<StepResult> {
    this.localSince ??= Date.now()
    const activities = proxyLocalActivities<StepActivities>({
      summary: key,
      startToCloseTimeout: Math.min(options.startToCloseTimeout ?? MAX_LOCAL_MS, MAX_LOCAL_MS),
      retry: { maximumAttempts: 1 },
    })
    return run(activities, type, input)
  }

  private async runRegularly({ type, options }: StepCall, input: StepInput): Promise<StepResult> {
    try {
      return await run(proxyActivities<StepActivities>(options), type, input)
    } finally {
      this.localSince = undefined
    }
  }

  private noteRetry(key: string, error: unknown): void {
    this.retries.set(key, describeFailure(error).error)
    this.onRetry()
  }

  /** Returns whether the step can be local once the current local activity ends. */
  private mustWait(call: StepCall): boolean {
    return call.local === 'in_turn' && !getLocalQueue().isIdle && this.isWithinLimits(call)
  }

  private mayRunLocally(call: StepCall): boolean {
    return getLocalQueue().isIdle && this.isWithinLimits(call)
  }

  private isWithinLimits({ local, name }: StepCall): boolean {
    if (local === 'never' || this.slow.has(name)) return false
    return this.localSince === undefined || Date.now() - this.localSince < MAX_LOCAL_MS
  }

  /** Plans the retries after a failed local attempt. An attempt that only exceeded the local limit does not count. */
  private planRetry({ name, options }: StepCall, error: unknown) {
    const cause = error instanceof ActivityFailure ? error.cause : error
    const { maximumAttempts, initialInterval } = options.retry
    if (cause instanceof CancelledFailure) return { attempts: maximumAttempts }
    if (cause instanceof TimeoutFailure && (options.startToCloseTimeout ?? Infinity) > MAX_LOCAL_MS) {
      this.slow.add(name)
      return { attempts: maximumAttempts }
    }
    if (!(cause instanceof ApplicationFailure)) return { attempts: maximumAttempts - 1, delay: initialInterval }
    if (cause.nonRetryable) return { attempts: 0 }
    return { attempts: maximumAttempts - 1, delay: cause.nextRetryDelay ?? initialInterval }
  }
}

function run(activities: StepActivities, type: string, input: StepInput): Promise<StepResult> {
  const activity = activities[type]
  if (!activity) throw new Error(`there is no activity "${type}"`)
  return activity(input)
}
