import { workflowInfo } from '@temporalio/workflow'
import type { FinishInput, RunEnding } from '../../activities/types.ts'
import type { JobStatus, NodeMilestone, Receipt, WaitingFor } from '../../domain/jobs.ts'
import { advance, type LoopCommand, type LoopEvent, type LoopState, newLoop } from '../../domain/neurons/loop.ts'
import { Visibility } from '../shared/visibility.ts'
import type { RunState } from '../shared/messages.ts'
import { type ProjectionBufferState, ProjectionBuffer } from '../shared/projection-buffer.ts'
import { RecentNodes } from '../shared/recent-nodes.ts'
import { OpenInterventions } from '../shared/interventions.ts'
import {
  buildApprovalRequest,
  buildBudgetRequest,
  buildQuestionRequest,
  type NodeRequest,
  toCallAnswer,
  toDecision,
} from './intervention-requests.ts'
import { CommandExecutor } from './command-executor.ts'
import type { NeuronResult, NeuronRunInput } from './messages.ts'

/** The state that continue-as-new passes on. It happens between two steps only. */
export interface ContinueAsNewState {
  loop: LoopState
  projections: ProjectionBufferState
  pending: LoopCommand[]
  nodes: NodeMilestone[]
  visible: string
  paused?: boolean
  queue?: LoopEvent[]
}

interface End {
  outcome: FinishInput['outcome']
  result?: NeuronResult
  error?: FinishInput['error']
  receipt?: Receipt
  /** The job's row holds the end already, so the run waits for nothing. */
  isWritten?: true
}

/** Nodes that the run's own summary keeps. */
const MAX_RECENT_NODES = 200

/** Controls one run: passes events to the pure loop and executes its commands. */
export class NeuronController {
  readonly interventions: OpenInterventions
  private readonly input: NeuronRunInput
  private readonly projections: ProjectionBuffer
  private readonly visibility: Visibility
  private readonly executor: CommandExecutor
  private readonly nodes: RecentNodes
  /** By node key: makes a loop event of the output of the intervention. */
  private readonly openRequests = new Map<string, (output: unknown) => LoopEvent>()
  private readonly childrenWaiting = new Map<string, WaitingFor[]>()
  private loop: LoopState
  private queue: LoopEvent[] = []
  private deferred: LoopCommand[] = []
  private paused = false
  private cancelling = false
  private end: End | undefined

  constructor(input: NeuronRunInput, state?: ContinueAsNewState) {
    this.input = input
    this.loop = state?.loop ?? newLoop(input.limits)
    this.nodes = new RecentNodes(MAX_RECENT_NODES, state?.nodes)
    this.visibility = new Visibility(input, state?.visible)
    this.projections = new ProjectionBuffer(
      input.job,
      () => ({ current_step: this.currentStep(), progress: { done: this.loop.step, total: input.limits.max_steps } }),
      state?.projections,
    )
    this.interventions = new OpenInterventions({
      jobId: input.job.job_id,
      deliver: event => this.onInterventionClosed(event),
      emitChange: change => this.projections.addInterventionChange(change),
      onChange: () => this.publishState(),
    })
    this.executor = new CommandExecutor({
      input,
      takeUnpublished: () => this.projections.takeUnpublished(),
      emitMilestone: (milestone, isReported) => this.recordMilestone(milestone, isReported),
      deliver: event => this.deliver(event),
      onStopped: () => this.publishState(),
    })
  }

  start(state?: ContinueAsNewState): void {
    if (!state) return this.deliver({ type: 'start' })
    this.queue = state.queue ?? []
    if (state.paused) this.deferred = state.pending
    else for (const command of state.pending) this.execute(command)
    this.paused = state.paused ?? false
    this.publishState()
  }

  /** Ends the run with the ending that its row holds. */
  endAs({ outcome, result, error, receipt }: RunEnding): void {
    this.end = { outcome, result: result as unknown as NeuronResult, error, receipt, isWritten: true }
  }

  /** Applies an event. A paused run applies it on resume. */
  deliver(event: LoopEvent): void {
    if (this.cancelling || this.end) return
    if (this.paused) this.queue.push(event)
    else this.apply(event)
    this.publishState()
  }

  /** Stops work in progress. The run ends when all of it has ended. */
  cancel(): void {
    if (this.end || this.cancelling) return
    this.cancelling = true
    this.paused = false
    for (const key of this.openRequests.keys()) this.interventions.cancel(key)
    this.executor.cancelAll()
    this.publishState()
  }

  async pause(by: string): Promise<void> {
    if (this.end || this.paused || this.cancelling) return
    this.paused = true
    this.publishState()
    await this.executor.pauseChildren(by, true)
  }

  async resume(by: string): Promise<void> {
    if (!this.paused) return
    this.paused = false
    for (const command of this.deferred.splice(0)) this.execute(command)
    for (const event of this.queue.splice(0)) this.apply(event)
    this.publishState()
    await this.executor.pauseChildren(by, false)
  }

  childWaits({ key, waitingFor }: { key: string; waitingFor: WaitingFor[] }): void {
    if (waitingFor.length > 0) this.childrenWaiting.set(key, waitingFor)
    else this.childrenWaiting.delete(key)
    this.publishState()
  }

  get finished(): FinishInput | undefined {
    if (!this.end || (this.executor.inFlight > 0 && !this.end.isWritten)) return undefined
    const { result, isWritten: _isWritten, ...end } = this.end
    return {
      ...this.projections.toRecord(),
      at: now(),
      ...end,
      result: result && { ...result, usage: { ...result.usage } },
    }
  }

  /** History has grown long and the next step has not begun. */
  get canContinueAsNew(): boolean {
    const isLong = workflowInfo().continueAsNewSuggested && this.deferred.length > 0
    return isLong && !this.end && this.executor.inFlight === 0
  }

  flushed(): Promise<void> {
    return this.projections.flushed()
  }

  snapshot(): ContinueAsNewState {
    const { loop, paused, queue, deferred: pending } = this
    const nodes = this.nodes.all()
    return {
      loop,
      pending,
      paused,
      queue,
      nodes,
      projections: this.projections.snapshot(),
      visible: this.visibility.snapshot(),
    }
  }

  describe(): RunState {
    return {
      status: this.status(),
      current_step: this.currentStep(),
      waitingFor: this.waitingFor(),
      nodes: this.nodes.all(),
    }
  }

  private apply(event: LoopEvent): void {
    const { state, commands } = advance(this.loop, event, this.input.limits)
    this.loop = state
    for (const command of commands) this.execute(command)
  }

  private execute(command: LoopCommand): void {
    switch (command.type) {
      case 'think':
        if (workflowInfo().continueAsNewSuggested) return void this.deferred.push(command)
        return this.executor.think(command)
      case 'call':
        return this.executor.call(command)
      case 'reply':
        return this.executor.reply(command)
      case 'approve':
        return this.openIntervention(buildApprovalRequest(command), output => ({
          type: 'decided',
          id: command.call.id,
          decision: toDecision(output),
        }))
      case 'ask':
        return this.openIntervention(buildQuestionRequest(command), output => ({
          type: 'answered',
          id: command.call.id,
          ...toCallAnswer(output),
        }))
      case 'overspent':
        return this.openIntervention(buildBudgetRequest(command), output => ({
          type: 'budget',
          decision: toDecision(output),
        }))
      case 'finish': {
        const { text, ...answer } = command.answer
        const { trace_id } = this.input.trace
        this.end = { outcome: 'completed', result: { output: text, ...answer, trace_id, usage: this.loop.spent } }
        return
      }
      case 'fail':
        this.end = { outcome: 'failed', error: command.error }
    }
  }

  private openIntervention(nodeRequest: NodeRequest, toEvent: (output: unknown) => LoopEvent): void {
    const { key, node, request } = nodeRequest
    this.openRequests.set(key, toEvent)
    this.recordMilestone(
      { key, node_id: node.id, node_type: 'human', title: request.title, status: 'waiting', at: now() },
      false,
    )
    this.interventions.open(nodeRequest, now())
  }

  /** Passes the result of a closed intervention to the loop. */
  private onInterventionClosed(
    event: Parameters<ConstructorParameters<typeof OpenInterventions>[0]['deliver']>[0],
  ): void {
    if (!('key' in event)) return
    const toEvent = this.openRequests.get(event.key)
    const node = this.nodes.get(event.key)
    this.openRequests.delete(event.key)
    if (!toEvent || !node) return
    if (event.type !== 'completed') {
      this.executor.note(node, 'stopped')
      return this.recordMilestone({ ...node, status: 'cancelled', at: now() }, false)
    }
    this.recordMilestone({ ...node, status: 'completed', at: now(), port: event.port }, false)
    this.deliver(toEvent(event.output))
  }

  private recordMilestone(milestone: NodeMilestone, isReported: boolean): void {
    this.nodes.add(milestone)
    this.projections.addNodes([milestone], () => isReported)
  }

  /** Returns the key of an awaited node, else of the node that changed last. */
  private currentStep(): string | undefined {
    const [child] = this.childrenWaiting.keys()
    const awaited = this.interventions.firstKey() ?? child
    return this.status() === 'waiting' ? awaited : (this.nodes.latestOpen() ?? awaited)
  }

  private waitingFor(): WaitingFor[] {
    return [...this.interventions.waitingFor(), ...[...this.childrenWaiting.values()].flat()]
  }

  private status(): JobStatus {
    if (this.end) return this.end.outcome === 'completed' ? 'completed' : 'failed'
    if (this.paused) return 'paused'
    const others = this.executor.inFlight - this.childrenWaiting.size
    return this.waitingFor().length > 0 && others <= 0 ? 'waiting' : 'running'
  }

  /** Publishes the state after all events of one moment. */
  private publishState(): void {
    if (this.cancelling && !this.end && this.executor.inFlight === 0)
      this.end = { outcome: 'cancelled', receipt: this.executor.receipt }
    const status = this.status()
    if (!this.end) this.projections.setStatus(status)
    if (!this.end) this.projections.write()
    this.visibility.upsert(status, this.waitingFor(), this.nodes.all(), this.end !== undefined)
  }
}

const now = (): string => new Date().toISOString()
