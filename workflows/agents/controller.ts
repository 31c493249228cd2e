import type { FinishInput, RecordInput, RunEnding } from '../../activities/types.ts'
import type { Usage } from '../../domain/access/usage.ts'
import type { NodeMilestone } from '../../domain/runs/nodes.ts'
import { advance, type LoopCommand, type LoopEvent, type LoopState, createLoopState } from '../../domain/agents/loop.ts'
import type { ClosingEvent } from '../shared/run/interventions.ts'
import { now } from '../shared/deterministic.ts'
import { RunController, type RunSnapshot } from '../shared/run/run-controller.ts'
import { NeuronCommandExecutor } from './command-executor.ts'
import {
  buildApprovalRequest,
  buildBudgetRequest,
  buildQuestionRequest,
  type NodeRequest,
  parseCallAnswer,
  parseDecision,
} from './intervention-requests.ts'
import { buildStepKey } from './keys.ts'
import type { NeuronRunInput } from './messages.ts'
import type { RunLimits } from '../../domain/agents/run-spec.ts'
import { buildRunSnapshot } from '../shared/run/fork-snapshot.ts'

/** The state passed on by continue-as-new, which happens only between two steps. */
export interface NeuronSnapshot extends RunSnapshot<LoopEvent, LoopCommand> {
  loop: LoopState
}

/** Maximum number of nodes in the run's own summary. */
const MAX_RECENT_NODES = 200

/** Controls an agent run. Its state machine is the agent loop. */
export class NeuronController extends RunController<LoopEvent, LoopCommand> {
  protected readonly executor: NeuronCommandExecutor
  input: NeuronRunInput
  /** Functions that convert the output of an open task to an event, by node key. */
  private readonly openRequests = new Map<string, (output: unknown) => LoopEvent>()
  private loop: LoopState
  private isCancelling = false
  /** Whether the job's row already contains the run's end. If so, the run isn't waiting for anything. */
  private isEndWritten = false

  constructor(input: NeuronRunInput, snapshot?: NeuronSnapshot) {
    super(input, MAX_RECENT_NODES, snapshot)
    this.input = input
    this.loop = snapshot?.loop ?? createLoopState(input.limits)
    this.executor = new NeuronCommandExecutor({
      readInput: () => this.input,
      takeUnpublished: () => this.projections.takeUnpublished(),
      onRetry: () => this.schedule(),
      emitMilestone: (milestone, isReported) => this.recordMilestones([milestone], () => isReported),
      deliver: event => (this.isCancelling ? this.endWhenStopped() : this.deliver(event)),
    })
  }

  /** A loop that has already started ignores the start and continues with the deferred command. */
  start(): void {
    this.deliver({ type: 'start' })
  }

  override endAs(ending: RunEnding): void {
    super.endAs(ending)
    this.isEndWritten = true
  }

  /** Stops the work in progress. The run ends once all of it has stopped. */
  cancel(): void {
    if (this.end || this.isCancelling) return
    this.isCancelling = true
    this.paused = false
    for (const key of this.openRequests.keys()) this.interventions.cancel(key)
    this.executor.cancelAll()
    this.endWhenStopped()
  }

  override async pause(by: string): Promise<void> {
    if (!this.isCancelling) await super.pause(by)
  }

  override get finished(): FinishInput | undefined {
    return this.isEndWritten || this.executor.inFlight === 0 ? super.finished : undefined
  }

  /**
   * The snapshot doesn't include the conversion functions of open tasks, so the run only continues as new before a
   * step.
   */
  override get canContinueAsNew(): boolean {
    return super.canContinueAsNew && this.deferred.size > 0
  }

  override snapshot(): NeuronSnapshot {
    return { ...super.snapshot(), loop: this.loop }
  }

  protected override get isReady(): boolean {
    return super.isReady && !this.isCancelling
  }

  protected get usage(): Usage {
    return this.loop.spent
  }

  protected countProgress(): RecordInput['progress'] {
    return { done: this.loop.step, total: this.input.limits.max_steps }
  }

  protected apply(events: LoopEvent[]): LoopEvent[] {
    for (const event of events) {
      const { state, commands } = advance(this.loop, event, this.input.limits)
      this.loop = state
      for (const command of commands) this.execute(command)
    }
    return []
  }

  protected execute(command: LoopCommand): void {
    switch (command.type) {
      case 'call_model':
        if (!this.hasCapacity) return void this.deferred.set(buildStepKey(command.step), command)
        return this.executor.execute(command)
      case 'call':
      case 'reply':
        return this.executor.execute(command)
      case 'approve':
        return this.openIntervention(buildApprovalRequest(command), output => ({
          type: 'decided',
          id: command.call.id,
          decision: parseDecision(output),
        }))
      case 'ask':
        return this.openIntervention(buildQuestionRequest(command, this.input.asks), output => ({
          type: 'answered',
          id: command.call.id,
          ...parseCallAnswer(output),
        }))
      case 'request_budget':
        return this.openIntervention(buildBudgetRequest(command), output => ({
          type: 'budget',
          decision: parseDecision(output),
        }))
      case 'finish': {
        const { text: output, labels, ...answer } = command.answer
        const { trace_id } = this.input.trace
        this.end = {
          outcome: 'completed',
          result: { output, ...answer, trace_id, usage: { ...this.loop.spent } },
          ...(labels && { labels }),
        }
        return
      }
      case 'fail':
        this.end = { outcome: 'failed', error: command.error }
    }
  }

  private openIntervention(nodeRequest: NodeRequest, toEvent: (output: unknown) => LoopEvent): void {
    const { key, node, request } = nodeRequest
    this.openRequests.set(key, toEvent)
    const milestone = { key, node_id: node.id, node_type: 'human', title: request.title, status: 'waiting' as const }
    this.recordMilestones([{ ...milestone, at: now() }])
    this.interventions.open(nodeRequest, now())
  }

  /** Passes the result of a closed task to the loop. */
  protected onInterventionClosed(event: ClosingEvent): void {
    const toEvent = this.openRequests.get(event.key)
    const node = this.nodes.get(event.key)
    this.openRequests.delete(event.key)
    if (!toEvent || !node) return
    if (event.type !== 'completed') {
      this.executor.addToReceipt(node, 'stopped')
      return this.recordMilestones([{ ...node, status: 'cancelled', at: now() }])
    }
    const { port, output } = event
    this.recordMilestones([{ ...node, status: 'completed', at: now(), port, output }])
    this.deliver(toEvent(output))
  }

  private endWhenStopped(): void {
    if (this.executor.inFlight === 0) this.end ??= { outcome: 'cancelled', receipt: this.executor.receipt }
    this.schedule()
  }
}

/**
 * Builds the initial snapshot of an agent fork. The fork's next model call is the one for `step`. The cost of earlier
 * steps doesn't count toward the fork's budget.
 */
export const buildForkSnapshot = (step: number, limits: RunLimits, nodes: NodeMilestone[]): NeuronSnapshot => ({
  ...buildRunSnapshot(nodes),
  loop: { ...createLoopState(limits), step: step - 1 },
})
