import { ApplicationFailure, isCancellation, proxyActivities, proxyLocalActivities, sleep } from '@temporalio/workflow'
import type {
  NeuronProjections,
  OpenNeuronInput,
  PathwayActivities,
  PathwayProjections,
  RunEnding,
  StepInput,
} from '../../activities/types.ts'
import { parseDurationMs } from '../../domain/shared/durations.ts'
import { buildParentFields } from '../../domain/runs/jobs.ts'
import { addUsage, type Usage } from '../../domain/access/usage.ts'
import type { NodeError } from '../../domain/runs/nodes.ts'
import { buildNodeOutput } from '../../domain/agents/answers.ts'
import type { ChildResult } from '../../domain/runs/run-records.ts'
import type { EffectNode, RetryPolicy as NodeRetry } from '../../domain/pathways/definition.ts'
import type { Command, EngineEvent } from '../../domain/pathways/engine/commands.ts'
import { getNodeKind } from '../../domain/pathways/kinds/index.ts'
import { type ChildRun, startChildRun } from '../shared/run/child-runs.ts'
import { TIMEOUT, describeFailure } from '../shared/failures.ts'
import type { NeuronResult } from '../agents/messages.ts'
import { RECORD_OPTIONS, HEARTBEATED } from '../shared/steps/activity-options.ts'
import { CommandExecutor, type CommandExecutorDeps } from '../shared/steps/command-executor.ts'
import { createDeterministicId, now } from '../shared/deterministic.ts'
import { startTask } from '../shared/scopes.ts'
import { StepRunner, type StepOptions } from '../shared/steps/step-runner.ts'
import type { PathwayRunInput } from './messages.ts'
import type { RetryPolicy } from '@temporalio/common'

type Of<T extends Command['type']> = Extract<Command, { type: T }>

/** A command that starts an activity or a child run. */
type EffectCommand = Of<'run' | 'child' | 'compensate'>

interface Deps extends CommandExecutorDeps<EngineEvent> {
  /** Returns the run's input. A move to another version replaces parts of it. */
  readInput(): PathwayRunInput
  isStopping(key: string): boolean
  endAs(ending: RunEnding): void
  /** Called when a step is retried. */
  onRetry(): void
}

const NO_USAGE: Usage = { input_tokens: 0, output_tokens: 0, usd: 0 }

const { findEnding, openChild } = proxyLocalActivities<PathwayProjections>(RECORD_OPTIONS)
const { openNeuron } = proxyLocalActivities<NeuronProjections>(RECORD_OPTIONS)

export class PathwayCommandExecutor extends CommandExecutor<EngineEvent, Deps> {
  override readonly retries: ReadonlyMap<string, NodeError>
  /** Model cost of the run, excluding child runs of pathways. */
  usage: Usage
  private readonly steps: StepRunner

  constructor(deps: Deps, usage: Usage = NO_USAGE) {
    super(deps)
    this.usage = usage
    this.steps = new StepRunner(() => deps.onRetry())
    this.retries = this.steps.retries
  }

  execute(command: EffectCommand): void {
    switch (command.type) {
      case 'run':
        return this.run(command)
      case 'child':
        return this.startChild(command)
      case 'compensate':
        return this.compensate(command)
    }
  }

  /** Starts a timer. `toEvent` is called when it fires. */
  startTimer(key: string, at: string, summary: string, toEvent: () => EngineEvent): void {
    const ms = Math.max(1, Date.parse(at) - Date.now())
    this.startTask(
      key,
      () => sleep(ms, { summary }),
      outcome => {
        if (!('error' in outcome)) return toEvent()
        if (!isCancellation(outcome.error)) throw outcome.error
        return { type: 'settled', key, at: now(), outcome: 'stopped' }
      },
    )
  }

  private run(command: Of<'run'>): void {
    const { node, key } = command
    this.startEffect(key, async () => {
      const { output, usage } = await this.steps.run({
        key,
        type: node.type,
        name: node.id,
        local: this.mayBeLocal(node) ? 'if_idle' : 'never',
        options: buildActivityOptions(node, key),
        buildInput: () => this.buildStepInput(command),
      })
      this.spend(usage)
      return { result: output }
    })
  }

  /**
   * Returns whether a node's step may be a local activity. A workflow task may be retried, together with its local
   * activities, after it has written the run's end. Effects of these activities would never be undone.
   */
  private mayBeLocal(node: EffectNode): boolean {
    if (node.compensate !== undefined && this.deps.readInput().records_undoable === true) return false
    return getNodeKind(node.type).effect?.isLocal?.(node) === true
  }

  private startChild(command: Of<'child'>): void {
    const { key, node } = command
    this.startEffect(key, () =>
      withTimeLimit(node, key, async () => {
        const { result, labels } = await this.runChild(key, () => startChildRun(() => this.openRun(command), key))
        if (node.type !== 'neuron') return { result, labels }
        this.spend((result as unknown as NeuronResult).usage)
        return { result: buildNodeOutput(result), labels }
      }),
    )
  }

  private spend(usage: Usage = NO_USAGE): void {
    this.usage = addUsage(this.usage, usage)
  }

  private startEffect(key: string, work: () => Promise<ChildResult>): void {
    this.start(
      key,
      async () => {
        const { result, labels } = await work()
        return { type: 'completed', key, at: now(), output: result, ...(labels && { labels }) }
      },
      error => createFailureEvent(key, error, this.deps.isStopping(key)),
    )
  }

  private compensate(command: Of<'compensate'>): void {
    const { node, key } = command
    const step = this.buildStepInput(command)
    const activities = proxyActivities<PathwayActivities>(buildActivityOptions(node, key, `compensate: ${key}`))
    this.start(
      key,
      async () => {
        // A retried workflow task may reach a different end from the one it has already written.
        const ending = await findEnding({ job: step.job })
        if (ending) this.deps.endAs(ending)
        else await activities[node.type](step)
        return { type: 'compensated', key, at: now() }
      },
      cause => {
        const failure = createFailureEvent(key, cause, this.deps.isStopping(key))
        const error = 'error' in failure ? failure.error : { code: 'CANCELLED', message: 'stopped' }
        return { type: 'compensated', key, at: now(), error }
      },
    )
  }

  private buildStepInput(command: Of<'run' | 'compensate'>): StepInput {
    const { key, node, with: values } = command
    const title = node.title?.includes('${') ? undefined : node.title
    return {
      job: this.deps.readInput().job,
      node: { key, id: node.id, type: node.type, title },
      with: values,
      ...('labels' in command && { labels: command.labels }),
      ...this.deps.takeUnpublished(),
    }
  }

  /** Writes the child's row and returns its workflow input. */
  private async openRun({ key, node, input, labels }: Of<'child'>): Promise<ChildRun> {
    const { job, subflows, neurons, requester } = this.deps.readInput()
    const pinned =
      node.ref === undefined ? undefined : node.type === 'neuron' ? neurons?.[node.ref] : subflows[node.ref]
    if (!pinned) throw new Error(`${node.ref} was not pinned`)
    const { labels: _given, ...jobRef } = job
    const job_id = `${pinned.slug}-${createDeterministicId(key)}`
    const childJob = { ...jobRef, job_id, ...buildParentFields(job, key), ...(labels && { labels }) }
    if (!('definition' in pinned)) {
      const message = input as Pick<OpenNeuronInput, 'message' | 'files' | 'variables' | 'boundary'>
      const neuronRun = { job: childJob, parent_key: key, neuron: pinned, requester, ...message }
      const { delay_ms, console_runs, ...run } = await openNeuron(neuronRun)
      return { type: 'neuron', run, delay_ms, console_runs }
    }
    const { definition, ...pathway } = pinned
    const { input: schema, run_title } = definition
    const child = { job: childJob, parent_key: key, pathway, requester, input }
    const openedChild = await openChild({ ...child, schema, run_title })
    if (openedChild?.title !== undefined) pathway.title = openedChild.title
    const run = { ...child, input: openedChild?.input ?? input, definition, subflows, neurons }
    return { type: 'pathway', run, delay_ms: openedChild?.delay_ms, console_runs: openedChild?.console_runs }
  }
}

/** Cancels a child run when its node's `timeout` elapses, so that it compensates. */
function withTimeLimit<T>({ timeout }: { timeout?: string }, key: string, work: () => Promise<T>): Promise<T> {
  const ms = timeout && parseDurationMs(timeout)
  if (!ms) return work()
  return new Promise((resolve, reject) => {
    let isLate = false
    const clock = startTask(
      () => sleep(ms, { summary: `time limit: ${key}` }),
      outcome => {
        if ('error' in outcome) return
        isLate = true
        task.cancel()
      },
    )
    const task = startTask(work, outcome => {
      clock.cancel()
      if (!('error' in outcome)) return resolve(outcome.value)
      reject(isLate ? ApplicationFailure.nonRetryable('timed out', TIMEOUT) : outcome.error)
    })
  })
}

/** Converts an effect's failure to an engine event. */
function createFailureEvent(key: string, error: unknown, isStopping: boolean): EngineEvent {
  const at = now()
  if (isCancellation(error)) return { type: 'settled', key, at, outcome: 'stopped' }
  if (isStopping) return { type: 'settled', key, at, outcome: 'in_doubt' }
  return { type: 'failed', key, at, ...describeFailure(error) }
}

/** Converts a node's `timeout` and `retry` to activity options. `timeout` limits each attempt. */
function buildActivityOptions(node: EffectNode, key: string, summary = key): StepOptions {
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
    // Temporal rejects a maximum below the initial interval.
    maximumInterval: Math.max((retry.max && parseDurationMs(retry.max)) || 60_000, initialInterval),
  } satisfies RetryPolicy
}
