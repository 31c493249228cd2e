import { isCancellation, proxyActivities, proxyLocalActivities } from '@temporalio/workflow'
import type { NeuronActivities, NeuronProjections, StepInput } from '../../activities/types.ts'
import type { NodeError, NodeMilestone, Receipt, Usage } from '../../domain/jobs.ts'
import type { JsonValue } from '../../domain/json.ts'
import type { LoopCommand, LoopEvent, Thought, ThoughtCall } from '../../domain/neurons/loop.ts'
import { describe } from '../failures.ts'
import { recordOptions } from '../record-options.ts'
import { type ChildHandle, startChildRun } from '../child-runs.ts'
import { pauseSignal, resumeSignal } from '../shared/messages.ts'
import type { UnpublishedUpdates } from '../shared/projection-buffer.ts'
import { nonCancellable, startTask, type Task } from '../shared/scopes.ts'
import { deterministicId } from '../shared/deterministic-id.ts'
import { callKey, stepKey } from './keys.ts'
import type { NeuronResult, NeuronRunInput } from './messages.ts'
import { modelOptions, callOptions } from './options.ts'

type Of<T extends LoopCommand['type']> = Extract<LoopCommand, { type: T }>

export interface CommandExecutorDeps {
  input: NeuronRunInput
  /** Returns the unpublished updates, for an activity to carry. */
  takeUnpublished(): UnpublishedUpdates
  /** `isReported`: the activity publishes the milestone itself. */
  emitMilestone(milestone: NodeMilestone, isReported: boolean): void
  deliver(event: LoopEvent): void
  /** Called when work ends after a cancel. */
  onStopped(): void
}

const { reply, openCall } = proxyLocalActivities<NeuronProjections>(recordOptions)

/** Executes the loop's commands, each in its own cancellation scope, and delivers their events. */
export class CommandExecutor {
  private readonly deps: CommandExecutorDeps
  private readonly tasks = new Map<string, Task>()
  private readonly children = new Map<string, ChildHandle>()
  private stopping = false
  /** The outcome of each node that was stopped. */
  readonly receipt: Receipt = []

  constructor(deps: CommandExecutorDeps) {
    this.deps = deps
  }

  get inFlight(): number {
    return this.tasks.size
  }

  think({ step, final }: Of<'think'>): void {
    const key = stepKey(step)
    const node = { key, node_id: this.deps.input.neuron.slug, node_type: 'model' }
    const { model } = proxyActivities<NeuronActivities>(modelOptions(key))
    this.start(
      node,
      true,
      async () => {
        const { output } = await model(this.stepInput(node, { step, final }))
        return { type: 'thought', thought: output as unknown as Thought }
      },
      error => ({ type: 'failed', error }),
    )
  }

  call({ step, call, args }: Of<'call'>): void {
    const key = callKey(step, call)
    const isRun = call.kind === 'pathway' || call.kind === 'neuron'
    const node = { key, node_id: call.name, node_type: isRun ? call.kind : 'tool' }
    const done = { type: 'called', id: call.id } as const
    this.start(
      node,
      !isRun,
      async () => {
        if (isRun) return { ...done, usage: await this.child(key, step, call, args) }
        const { call: make } = proxyActivities<NeuronActivities>(callOptions(key))
        await make(this.stepInput(node, { step, call: toCallRef(call), ...(args !== undefined && { args }) }))
        return done
      },
      error => ({ type: 'answered', id: call.id, output: { error: error.message, code: error.code }, is_error: true }),
      call.writes && 'in_doubt',
    )
  }

  reply({ step, call, output, is_error }: Of<'reply'>): void {
    const key = `${callKey(step, call)}/reply`
    this.run(key, () =>
      // A cancel of the run does not stop the reply.
      nonCancellable(async () => {
        await this.replyToModel(step, call, output, is_error)
        return { type: 'called', id: call.id }
      }),
    )
  }

  cancelAll(): void {
    this.stopping = true
    for (const task of this.tasks.values()) task.cancel()
  }

  async pauseChildren(by: string, paused: boolean): Promise<void> {
    const signal = paused ? pauseSignal : resumeSignal
    await Promise.allSettled([...this.children.values()].map(child => child.signal(signal, { by })))
  }

  /** Runs a pathway or another neuron for the call; its result is the reply. */
  private async child(key: string, step: number, call: ThoughtCall, args?: JsonValue): Promise<Usage | undefined> {
    const { job, trace, requester } = this.deps.input
    const job_id = `${call.name}-${deterministicId(key)}`
    const open = () => openCall({ job, job_id, trace, requester, key, step, call: toCallRef(call), args })
    const handle = await startChildRun(open, key)
    this.children.set(key, handle)
    try {
      const result = (await handle.result()) as JsonValue
      const { output, data, usage } = call.kind === 'neuron' ? (result as unknown as NeuronResult) : { output: result }
      await this.replyToModel(step, call, data === undefined ? output : { output, data }, false)
      return usage
    } finally {
      this.children.delete(key)
    }
  }

  private replyToModel(step: number, call: ThoughtCall, output: JsonValue, is_error: boolean): Promise<void> {
    const { job, trace } = this.deps.input
    return reply({ job, trace, step, call: toCallRef(call), output, is_error })
  }

  private start(
    node: Pick<NodeMilestone, 'key' | 'node_id' | 'node_type'>,
    isReported: boolean,
    work: () => Promise<LoopEvent>,
    onFailure: (error: NodeError) => LoopEvent,
    cutOff: Receipt[number]['outcome'] = 'stopped',
  ): void {
    const { key } = node
    this.deps.emitMilestone({ ...node, status: 'running', at: now() }, isReported)
    this.run(key, async () => {
      try {
        const event = await work()
        this.deps.emitMilestone({ ...node, status: 'completed', at: now() }, isReported)
        if (this.stopping) this.note(node, 'finished_first')
        return event
      } catch (error) {
        const wasStopped = isCancellation(error)
        const failure = describe(error).error
        this.deps.emitMilestone(
          { ...node, at: now(), ...(wasStopped ? { status: 'cancelled' } : { status: 'failed', error: failure }) },
          false,
        )
        if (this.stopping) this.note(node, wasStopped ? cutOff : 'in_doubt')
        return onFailure(failure)
      }
    })
  }

  private run(key: string, work: () => Promise<LoopEvent>): void {
    const task = startTask(work, outcome => {
      if ('error' in outcome) throw outcome.error
      this.end(key, outcome.value)
    })
    this.tasks.set(key, task)
  }

  private end(key: string, event: LoopEvent): void {
    this.tasks.delete(key)
    if (this.stopping) this.deps.onStopped()
    else this.deps.deliver(event)
  }

  note({ key, node_id }: Pick<NodeMilestone, 'key' | 'node_id'>, outcome: Receipt[number]['outcome']): void {
    this.receipt.push({ key, node_id, outcome })
  }

  private stepInput(
    { key, node_id: id, node_type: type }: Pick<NodeMilestone, 'key' | 'node_id' | 'node_type'>,
    values: Record<string, JsonValue>,
  ): StepInput {
    const { job, trace, requester } = this.deps.input
    return {
      job,
      node: { key, id, type },
      with: { ...values, trace: { ...trace }, requester },
      ...this.deps.takeUnpublished(),
    }
  }
}

const toCallRef = ({ id, index, name }: ThoughtCall) => ({ id, index, name })
const now = (): string => new Date().toISOString()
