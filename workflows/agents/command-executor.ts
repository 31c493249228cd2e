import { isCancellation, proxyLocalActivities } from '@temporalio/workflow'
import type { NeuronProjections, StepInput } from '../../activities/types.ts'
import type { Label } from '../../domain/pathways/labels/labels.ts'
import type { Usage } from '../../domain/access/usage.ts'
import type { NodeError, NodeMilestone, Receipt } from '../../domain/runs/nodes.ts'
import type { JsonValue } from '../../domain/shared/json/json.ts'
import type { LoopCommand, LoopEvent, ModelDecision, RequestedCall } from '../../domain/agents/loop.ts'
import { startChildRun } from '../shared/run/child-runs.ts'
import { describeFailure } from '../shared/failures.ts'
import { RECORD_OPTIONS, HEARTBEATED } from '../shared/steps/activity-options.ts'
import { CommandExecutor, type CommandExecutorDeps } from '../shared/steps/command-executor.ts'
import { createDeterministicId, now } from '../shared/deterministic.ts'
import { nonCancellable } from '../shared/scopes.ts'
import { StepRunner, type StepOptions } from '../shared/steps/step-runner.ts'
import { buildCallKey, buildStepKey } from './keys.ts'
import type { NeuronResult, NeuronRunInput } from './messages.ts'

type Of<T extends LoopCommand['type']> = Extract<LoopCommand, { type: T }>
type Node = Pick<NodeMilestone, 'key' | 'node_id' | 'node_type'>
type Outcome = Receipt[number]['outcome']

interface Deps extends CommandExecutorDeps<LoopEvent> {
  /** Returns the run's input with the people currently behind the run. */
  readInput(): NeuronRunInput
  /** `isReported`: the activity itself publishes the milestone. */
  emitMilestone(milestone: NodeMilestone, isReported: boolean): void
  /** Called when a call is retried. */
  onRetry(): void
}

interface NodeWork {
  node: Node
  isReported: boolean
  work: () => Promise<LoopEvent>
  toFailure: (error: NodeError) => LoopEvent
  /** The node's outcome if it is stopped. */
  stopped?: Outcome
}

const { reply, openCall } = proxyLocalActivities<NeuronProjections>(RECORD_OPTIONS)

export class NeuronCommandExecutor extends CommandExecutor<LoopEvent, Deps> {
  override readonly retries: ReadonlyMap<string, NodeError>
  private isStopping = false
  private readonly steps: StepRunner
  /** The outcome of each stopped node. */
  readonly receipt: Receipt = []

  constructor(deps: Deps) {
    super(deps)
    this.steps = new StepRunner(() => deps.onRetry())
    this.retries = this.steps.retries
  }

  execute(command: Of<'call_model' | 'call' | 'reply'>): void {
    switch (command.type) {
      case 'call_model':
        return this.callModel(command)
      case 'call':
        return this.callTool(command)
      case 'reply':
        return this.reply(command)
    }
  }

  override cancelAll(): void {
    this.isStopping = true
    super.cancelAll()
  }

  addToReceipt({ key, node_id }: Pick<Node, 'key' | 'node_id'>, outcome: Outcome): void {
    this.receipt.push({ key, node_id, outcome })
  }

  private callModel({ step, final }: Of<'call_model'>): void {
    const key = buildStepKey(step)
    const node = { key, node_id: this.deps.readInput().neuron.slug, node_type: 'model' }
    this.startNode({
      node,
      isReported: true,
      work: async () => {
        const { output } = await this.steps.run({
          key,
          type: 'model',
          name: 'model',
          local: 'never',
          options: buildModelOptions(key),
          buildInput: () => this.buildStepInput(node, { step, final }),
        })
        return { type: 'model_decided', decision: output as unknown as ModelDecision }
      },
      toFailure: error => ({ type: 'failed', error }),
    })
  }

  private callTool({ step, call, args, labels }: Of<'call'>): void {
    const key = buildCallKey(step, call)
    const isRun = call.kind === 'pathway' || call.kind === 'neuron'
    const node = { key, node_id: call.name, node_type: isRun ? call.kind : 'tool' }
    const { id } = call
    this.startNode({
      node,
      isReported: !isRun,
      work: async () => {
        if (isRun) return { type: 'called', id, usage: await this.callRun(key, { step, call, args, labels }) }
        const values = { step, call: getCallRef(call), ...(args !== undefined && { args }) }
        await this.steps.run({
          key,
          type: 'call',
          name: call.name,
          local: call.is_short ? 'in_turn' : 'never',
          options: buildCallOptions(key),
          buildInput: () => this.buildStepInput(node, values),
        })
        return { type: 'called', id }
      },
      toFailure: ({ message, code }) => ({
        type: 'answered',
        id,
        output: { error: message, code },
        is_error: true,
      }),
      stopped: call.writes && 'in_doubt',
    })
  }

  private reply({ step, call, output, is_error }: Of<'reply'>): void {
    this.start(
      `${buildCallKey(step, call)}/reply`,
      // Cancelling the run does not stop the reply.
      () =>
        nonCancellable(async () => {
          await this.replyToModel(step, call, { output, is_error })
          return { type: 'called', id: call.id }
        }),
      rethrow,
    )
  }

  /** Runs a pathway or another agent for the call. The run's result is the reply. */
  private async callRun(
    key: string,
    { step, call, args, labels: callLabels }: Omit<Of<'call'>, 'type'>,
  ): Promise<Usage | undefined> {
    const { job, trace, requester } = this.deps.readInput()
    const job_id = `${call.name}-${createDeterministicId(key)}`
    const open = () =>
      openCall({ job, job_id, trace, requester, key, step, call: getCallRef(call), args, labels: callLabels })
    const { result, labels } = await this.runChild(key, () => startChildRun(open, key))
    const answer = call.kind === 'neuron' ? (result as unknown as NeuronResult) : { output: result }
    const { output, data, usage } = { data: undefined, usage: undefined, ...answer }
    await this.replyToModel(step, call, { output: data === undefined ? output : { output, data }, labels })
    return usage
  }

  private replyToModel(
    step: number,
    call: RequestedCall,
    { is_error = false, ...content }: { output: JsonValue; is_error?: boolean; labels?: Label[] },
  ): Promise<void> {
    const { job, trace } = this.deps.readInput()
    return reply({ job, trace, step, call: getCallRef(call), ...content, is_error })
  }

  private startNode({ node, isReported, work, toFailure, stopped = 'stopped' }: NodeWork): void {
    this.deps.emitMilestone({ ...node, status: 'running', at: now() }, isReported)
    this.start(
      node.key,
      async () => {
        try {
          const event = await work()
          this.deps.emitMilestone({ ...node, status: 'completed', at: now() }, isReported)
          if (this.isStopping) this.addToReceipt(node, 'finished_first')
          return event
        } catch (error) {
          const wasStopped = isCancellation(error)
          const failure = describeFailure(error).error
          this.deps.emitMilestone(
            { ...node, at: now(), ...(wasStopped ? { status: 'cancelled' } : { status: 'failed', error: failure }) },
            false,
          )
          if (this.isStopping) this.addToReceipt(node, wasStopped ? stopped : 'in_doubt')
          return toFailure(failure)
        }
      },
      rethrow,
    )
  }

  private buildStepInput({ key, node_id: id, node_type: type }: Node, values: Record<string, JsonValue>): StepInput {
    const { job, trace, requester } = this.deps.readInput()
    return {
      job,
      node: { key, id, type },
      with: { ...values, trace: { ...trace }, requester },
      ...this.deps.takeUnpublished(),
    }
  }
}

const getCallRef = ({ id, index, name }: RequestedCall) => ({ id, index, name })

function rethrow(error: unknown): never {
  throw error
}

const MINUTE = 60_000

/** Retries for several minutes, because a provider may be overloaded or request a delay. */
const buildModelOptions = (key: string): StepOptions => ({
  ...HEARTBEATED,
  activityId: key,
  summary: key,
  startToCloseTimeout: 15 * MINUTE,
  retry: { maximumAttempts: 8, initialInterval: 1_000, backoffCoefficient: 2, maximumInterval: '60 seconds' },
})

/** Retries only briefly: the model receives the failure and can choose another call. */
const buildCallOptions = (key: string): StepOptions => ({
  ...HEARTBEATED,
  activityId: key,
  summary: key,
  startToCloseTimeout: 5 * MINUTE,
  retry: {
    maximumAttempts: 4,
    initialInterval: 500,
    backoffCoefficient: 2,
    maximumInterval: '10 seconds',
  },
})
