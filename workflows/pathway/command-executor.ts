import { ApplicationFailure, isCancellation, proxyActivities, proxyLocalActivities, sleep } from '@temporalio/workflow'
import type {
  NeuronProjections,
  OpenNeuronInput,
  PathwayActivities,
  PathwayProjections,
  RunEnding,
  StepInput,
} from '../../activities/types.ts'
import { durationMs } from '../../domain/durations.ts'
import { inside } from '../../domain/jobs.ts'
import type { JsonValue } from '../../domain/json.ts'
import type { Command, EngineEvent } from '../../domain/pathway/engine/commands.ts'
import { kindOf } from '../../domain/pathway/kinds/index.ts'
import { recordOptions } from '../record-options.ts'
import { TIMEOUT } from '../failures.ts'
import { failureEvent } from './failures.ts'
import type { NeuronResult } from '../neuron/messages.ts'
import { type ChildHandle, type ChildRun, startChildRun } from '../child-runs.ts'
import { pauseSignal, resumeSignal } from '../shared/messages.ts'
import type { UnpublishedUpdates } from '../shared/projection-buffer.ts'
import { startTask, type Task } from '../shared/scopes.ts'
import { deterministicId } from '../shared/deterministic-id.ts'
import type { PathwayRunInput } from './messages.ts'
import { activityOptions, localOptions } from './options.ts'

type Of<T extends Command['type']> = Extract<Command, { type: T }>

export interface CommandExecutorDeps {
  input: PathwayRunInput
  deliver(event: EngineEvent): void
  isStopping(key: string): boolean
  /** Returns the unpublished updates, for an activity to carry. */
  takeUnpublished(): UnpublishedUpdates
  endAs(ending: RunEnding): void
}

const { findEnding, openChild } = proxyLocalActivities<PathwayProjections>(recordOptions)
const { openNeuron } = proxyLocalActivities<NeuronProjections>(recordOptions)

const now = (): string => new Date().toISOString()

/** Executes the engine's commands, each in its own cancellation scope, and delivers their events. */
export class CommandExecutor {
  private readonly deps: CommandExecutorDeps
  private readonly tasks = new Map<string, Task>()
  private readonly children = new Map<string, ChildHandle>()
  /** Activities and children in flight: continue-as-new waits until there are none. */
  inFlight = 0

  constructor(deps: CommandExecutorDeps) {
    this.deps = deps
  }

  run(command: Of<'run'>): void {
    const { node, key } = command
    const step = this.stepInput(command)
    const isLocal = kindOf(node.type).effect?.isLocal?.(node) === true
    const activities = isLocal
      ? proxyLocalActivities<PathwayActivities>(localOptions(node, key))
      : proxyActivities<PathwayActivities>(activityOptions(node, key))
    this.start(key, async () => {
      const { output } = await activities[node.type](step)
      return { type: 'completed', key, at: now(), output }
    })
  }

  undo(command: Of<'undo'>): void {
    const { node, key } = command
    const step = { ...this.stepInput(command), compensating: true }
    const activities = proxyActivities<PathwayActivities>(activityOptions(node, `undo: ${key}`))
    this.start(
      key,
      async () => {
        // A repeated workflow task may end differently from the end that it has already written.
        const ending = await findEnding({ job: step.job })
        if (ending) this.deps.endAs(ending)
        else await activities[node.type](step)
        return { type: 'undone', key, at: now() }
      },
      failure => ({
        type: 'undone',
        key,
        at: now(),
        error: 'error' in failure ? failure.error : { code: 'CANCELLED', message: 'stopped' },
      }),
    )
  }

  child(command: Of<'child'>): void {
    const { key } = command
    this.start(key, async () => {
      const result = await withTimeLimit(command.node, key, () => this.runChild(command))
      return { type: 'completed', key, at: now(), output: result }
    })
  }

  /** Starts a timer; `toEvent` is called when it fires. */
  timer(key: string, at: string, summary: string, toEvent: () => EngineEvent): void {
    const ms = Math.max(1, Date.parse(at) - Date.now())
    const task = startTask(
      () => sleep(ms, { summary }),
      outcome => {
        if (!('error' in outcome)) return this.close(key, toEvent())
        if (!isCancellation(outcome.error)) throw outcome.error
        this.close(key, { type: 'settled', key, at: now(), outcome: 'stopped' })
      },
    )
    this.tasks.set(key, task)
  }

  /** Stops the task of a key. Returns false when there is none. */
  cancel(key: string): boolean {
    const task = this.tasks.get(key)
    task?.cancel()
    return task !== undefined
  }

  /** Removes a timer without an event. */
  drop(key: string): void {
    const task = this.tasks.get(key)
    this.tasks.delete(key)
    task?.cancel()
  }

  get hasChildren(): boolean {
    return this.children.size > 0
  }

  async pauseChildren(by: string, paused: boolean): Promise<void> {
    const signal = paused ? pauseSignal : resumeSignal
    await Promise.allSettled([...this.children.values()].map(child => child.signal(signal, { by })))
  }

  private start(
    key: string,
    work: () => Promise<EngineEvent>,
    onFailure = (event: EngineEvent): EngineEvent => event,
  ): void {
    this.inFlight++
    const task = startTask(work, outcome => {
      this.inFlight--
      const event =
        'error' in outcome ? onFailure(failureEvent(key, outcome.error, this.deps.isStopping(key))) : outcome.value
      this.close(key, event)
    })
    this.tasks.set(key, task)
  }

  private close(key: string, event: EngineEvent): void {
    if (!this.tasks.delete(key)) return
    this.deps.deliver(event)
  }

  private stepInput({ key, node, with: values }: Of<'run'> | Of<'undo'>): StepInput {
    const title = node.title?.includes('${') ? undefined : node.title
    return {
      job: this.deps.input.job,
      node: { key, id: node.id, type: node.type, title },
      with: values,
      ...this.deps.takeUnpublished(),
    }
  }

  private async runChild(command: Of<'child'>): Promise<JsonValue> {
    const { key } = command
    const handle = await startChildRun(() => this.openRun(command), key)
    this.children.set(key, handle)
    try {
      const result: unknown = await handle.result()
      return command.node.type === 'neuron' ? toNodeOutput(result as NeuronResult) : (result as JsonValue)
    } finally {
      this.children.delete(key)
    }
  }

  /** Writes the child's row and returns the input of its workflow. */
  private async openRun({ key, node, input }: Of<'child'>): Promise<ChildRun> {
    const { job, subflows, neurons, requester } = this.deps.input
    const pinned =
      node.ref === undefined ? undefined : node.type === 'neuron' ? neurons?.[node.ref] : subflows[node.ref]
    if (!pinned) throw new Error(`${node.ref} was not pinned`)
    const childJob = { ...job, job_id: `${pinned.slug}-${deterministicId(key)}`, ...inside(job) }
    if (!('definition' in pinned)) {
      const given = { job: childJob, parent_key: key, neuron: pinned, requester, ...(input as NeuronInput) }
      return { type: 'neuron', run: await openNeuron(given) }
    }
    const pathway = { id: pinned.id, slug: pinned.slug, version: pinned.version, title: pinned.title }
    const { definition } = pinned
    await openChild({ job: childJob, parent_key: key, pathway, requester, input, schema: definition.input })
    const run = { job: childJob, parent_key: key, pathway, definition, subflows, neurons, input, requester }
    return { type: 'pathway', run }
  }
}

type NeuronInput = Pick<OpenNeuronInput, 'message' | 'variables'>

/** Builds the output of a `neuron` node. */
function toNodeOutput({ output, data, usage, trace_id }: NeuronResult): JsonValue {
  return { text: output, ...(data !== undefined && { data }), usage: { ...usage }, trace_id }
}

/** Cancels a child run at its node's `timeout`, so that it compensates. */
function withTimeLimit<T>({ timeout }: { timeout?: string }, key: string, work: () => Promise<T>): Promise<T> {
  const ms = timeout && durationMs(timeout)
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
