import { workflowInfo } from '@temporalio/workflow'
import type { FinishInput, RunEnding } from '../../activities/types.ts'
import type { JobStatus, NodeMilestone, WaitingFor } from '../../domain/jobs.ts'
import type { Command, EngineEvent } from '../../domain/pathway/engine/commands.ts'
import { advance, progressOf } from '../../domain/pathway/engine/next.ts'
import { type EngineState, initialState } from '../../domain/pathway/engine/state.ts'
import { compileGraph, type Graph } from '../../domain/pathway/graph.ts'
import { findKind } from '../../domain/pathway/kinds/index.ts'
import { Visibility } from '../shared/visibility.ts'
import type { RunState, WaitEventInput } from '../shared/messages.ts'
import { type ProjectionBufferState, ProjectionBuffer } from '../shared/projection-buffer.ts'
import { RecentNodes } from '../shared/recent-nodes.ts'
import { type InterventionsState, OpenInterventions } from '../shared/interventions.ts'
import { CommandExecutor } from './command-executor.ts'
import type { PathwayRunInput } from './messages.ts'
import { type BufferedEvents, EventWaits } from './event-waits.ts'

/** The state that continue-as-new passes on. */
export interface ContinueAsNewState {
  engine: EngineState
  interventions: InterventionsState
  bufferedEvents: BufferedEvents
  projections: ProjectionBufferState
  /** Commands without an event yet: waits and deferred effects. */
  pending: Command[]
  queue: EngineEvent[]
  paused: boolean
  nodes: NodeMilestone[]
  visible: string
}

/** Nodes that the run's own summary keeps. */
const MAX_RECENT_NODES = 500
/** Activities and children at a time. The server limits a run to 2,000 pending ones of each kind. */
const MAX_IN_FLIGHT = 1_000
/** Entries of `waitingFor` that operators and the parent run see. */
const MAX_WAITING_FOR = 100

type Effect = Extract<Command, { type: 'run' | 'child' | 'undo' }>

/** Controls one run: passes events to the pure engine and executes its commands. */
export class PathwayController {
  readonly interventions: OpenInterventions
  private readonly input: PathwayRunInput
  private readonly graph: Graph
  private readonly executor: CommandExecutor
  private readonly waits: EventWaits
  private readonly projections: ProjectionBuffer
  private readonly visibility: Visibility
  private readonly nodes: RecentNodes
  /** Nodes that are child runs: this run publishes their milestones. */
  private readonly childKeys = new Set<string>()
  private readonly childrenWaiting = new Map<string, WaitingFor[]>()
  /** Commands in progress that start again after continue-as-new. */
  private readonly resumableCommands = new Map<string, Command>()
  private engine: EngineState
  /** Events that the engine has not processed yet. */
  private queue: EngineEvent[]
  private isScheduled = false
  /** The engine has issued a `yield` that is in progress. */
  private isYielding = false
  /** Effects that wait for capacity, by key. */
  private readonly deferred = new Map<string, Effect>()
  private paused: boolean
  private draining = false
  private end: Extract<Command, { type: 'finish' }> | undefined

  constructor(input: PathwayRunInput, state?: ContinueAsNewState) {
    const { job, requester } = input
    this.input = input
    this.graph = compileGraph(input.definition)
    this.engine = state?.engine ?? initialState(input.input, { id: job.job_id, requester })
    this.queue = state?.queue ?? []
    this.paused = state?.paused ?? false
    this.visibility = new Visibility(input, state?.visible)
    this.nodes = new RecentNodes(MAX_RECENT_NODES, state?.nodes)
    this.waits = new EventWaits(state?.bufferedEvents)
    this.projections = new ProjectionBuffer(
      job,
      () => ({ current_step: this.currentStep(), progress: progressOf(this.graph, this.engine) }),
      state?.projections,
    )
    this.interventions = new OpenInterventions(
      {
        jobId: job.job_id,
        deliver: event => this.deliver(event),
        emitChange: change => this.projections.addInterventionChange(change),
        onChange: () => this.schedule(),
      },
      state?.interventions,
    )
    this.executor = new CommandExecutor({
      input,
      deliver: event => this.deliver(event),
      isStopping: key => this.engine.stopping[key] === true,
      takeUnpublished: () => this.projections.takeUnpublished(),
      endAs: ending => this.endAs(ending),
    })
  }

  start(state?: ContinueAsNewState): void {
    if (!state) return this.deliver({ type: 'start', at: now() })
    this.interventions.restartTimers()
    for (const command of state.pending) this.execute(command)
    this.deliver({ type: 'continue', at: now() })
  }

  /** Ends the run with the ending that its row holds. */
  endAs({ outcome, result, error, receipt = [] }: RunEnding): void {
    this.end ??= { type: 'finish', outcome, result, error, receipt }
  }

  /** Queues an event. A paused run processes it on resume. */
  deliver(event: EngineEvent): void {
    if (this.end) return
    this.queue.push(event)
    this.schedule()
  }

  cancel(): void {
    if (this.end) return
    this.paused = false
    this.queue.unshift({ type: 'cancel', at: now() })
    this.schedule()
  }

  async pause(by: string): Promise<void> {
    if (this.end || this.paused) return
    this.paused = true
    this.schedule()
    await this.executor.pauseChildren(by, true)
  }

  async resume(by: string): Promise<void> {
    if (!this.paused) return
    this.paused = false
    this.schedule()
    await this.executor.pauseChildren(by, false)
  }

  event(event: WaitEventInput): void {
    for (const arrival of this.waits.arrive(event)) this.deliver(arrival)
  }

  childWaits({ key, waitingFor }: { key: string; waitingFor: WaitingFor[] }): void {
    if (waitingFor.length > 0) this.childrenWaiting.set(key, waitingFor)
    else this.childrenWaiting.delete(key)
    this.schedule()
  }

  get finished(): FinishInput | undefined {
    if (!this.end) return undefined
    const { outcome, result, error, receipt } = this.end
    const { trace } = this.input
    return { ...this.projections.toRecord(), at: now(), outcome, result, error, receipt, ...(trace && { trace }) }
  }

  /** History has grown long and only waits are open: the run can continue as new. */
  get canContinueAsNew(): boolean {
    return this.isDraining && !this.end && this.executor.inFlight === 0
  }

  /** A child may take weeks, so a run with children defers nothing and continues as new later. */
  private get isDraining(): boolean {
    return this.draining && !this.executor.hasChildren
  }

  flushed(): Promise<void> {
    return this.projections.flushed()
  }

  snapshot(): ContinueAsNewState {
    return {
      engine: this.engine,
      interventions: this.interventions.snapshot(),
      bufferedEvents: this.waits.snapshot(),
      projections: this.projections.snapshot(),
      pending: [...this.resumableCommands.values(), ...this.deferred.values()],
      queue: this.queue,
      paused: this.paused,
      nodes: this.nodes.all(),
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

  /** Processes and publishes all events of one moment in one pass. */
  private schedule(): void {
    if (this.isScheduled) return
    this.isScheduled = true
    void Promise.resolve().then(() => {
      this.isScheduled = false
      const isReady = !this.end && !this.paused && !this.isYielding
      if (isReady && this.queue.length > 0) this.takeEvents()
      this.publishState()
      if (isReady && this.isYielding) void this.yieldThenContinue()
    })
  }

  /** Continues the engine after a write of its updates. */
  private async yieldThenContinue(): Promise<void> {
    await this.projections.yieldByWriting()
    this.isYielding = false
    this.deliver({ type: 'continue', at: now() })
  }

  private takeEvents(): void {
    const { state, commands, milestones, taken } = advance(this.graph, this.engine, this.queue)
    for (const event of this.queue.splice(0, taken)) if ('key' in event) this.removeCommand(event.key)
    this.engine = state
    for (const command of commands) if (command.type === 'child') this.childKeys.add(command.key)
    this.projections.addNodes(milestones, milestone => isReported(milestone) && !this.childKeys.has(milestone.key))
    for (const milestone of milestones) this.recordMilestone(milestone)
    for (const command of commands) this.execute(command)
    for (const effect of this.deferred.values()) {
      if (!this.hasCapacity) break
      this.deferred.delete(effect.key)
      this.executor[effect.type](effect as never)
    }
  }

  private get hasCapacity(): boolean {
    return !this.isDraining && this.executor.inFlight < MAX_IN_FLIGHT
  }

  private execute(command: Command): void {
    switch (command.type) {
      case 'run':
      case 'child':
      case 'undo':
        if (!this.hasCapacity) return void this.deferred.set(command.key, command)
        return this.executor[command.type](command as never)
      case 'ask':
        return this.interventions.open(command, now())
      case 'wait':
        return this.wait(command)
      case 'deadline':
        this.resumableCommands.set(command.key, command)
        return this.executor.timer(command.key, command.at, `time limit: ${command.key}`, () => timedOut(command.key))
      case 'cancel':
        return this.stop(command.key)
      case 'yield':
        this.isYielding = true
        return
      case 'finish':
        this.end = command
    }
  }

  private wait(command: Extract<Command, { type: 'wait' }>): void {
    const { key, until, event, deadline } = command
    this.resumableCommands.set(key, command)
    if (until) {
      const done: EngineEvent = { type: 'completed', key, at: until, output: { at: until } }
      return this.executor.timer(key, until, `until ${until}: ${key}`, () => done)
    }
    const arrival = event === undefined ? undefined : this.waits.add(key, event)
    if (arrival) return this.deliver(arrival)
    if (deadline) this.executor.timer(key, deadline, `${event} until ${deadline}: ${key}`, () => timedOut(key))
  }

  private stop(key: string): void {
    const isDeferred = this.deferred.delete(key)
    const isWaiting = this.waits.remove(key)
    if (this.executor.cancel(key)) return
    if (isDeferred || isWaiting) this.deliver({ type: 'settled', key, at: now(), outcome: 'stopped' })
    else this.interventions.cancel(key)
  }

  /** Removes the command whose event has arrived. */
  private removeCommand(key: string): void {
    this.resumableCommands.delete(key)
    this.childrenWaiting.delete(key)
    if (this.waits.remove(key) || this.engine.active[key]) this.executor.drop(key)
  }

  private recordMilestone(milestone: NodeMilestone): void {
    const { output: _output, ...rest } = milestone
    this.nodes.add(rest)
  }

  /** Returns the key of the failed node, else of an awaited one, else of the node that changed last. */
  private currentStep(): string | undefined {
    if (this.end?.error?.node_key) return this.end.error.node_key
    const [child] = this.childrenWaiting.keys()
    const awaited = this.interventions.firstKey() ?? child ?? this.waits.firstKey()
    return this.status() === 'waiting' ? awaited : (this.nodes.latestOpen() ?? awaited)
  }

  private waitingFor(): WaitingFor[] {
    const open = this.interventions.waitingFor(MAX_WAITING_FOR)
    for (const waiting of this.childrenWaiting.values()) {
      if (open.length >= MAX_WAITING_FOR) break
      open.push(...waiting.slice(0, MAX_WAITING_FOR - open.length))
    }
    return open
  }

  private status(): JobStatus {
    if (this.end) return this.end.outcome === 'completed' ? 'completed' : 'failed'
    if (this.paused) return 'paused'
    const awaited = this.interventions.openCount + this.childrenWaiting.size + this.waits.size
    const others = this.executor.inFlight - this.childrenWaiting.size
    return awaited > 0 && others <= 0 ? 'waiting' : 'running'
  }

  /** Publishes the state after all events of one moment. */
  private publishState(): void {
    if (workflowInfo().continueAsNewSuggested) this.draining = true
    const status = this.status()
    const waitingFor = this.waitingFor()
    if (!this.end) this.projections.setStatus(status)
    if (!this.end) this.projections.write()
    this.visibility.upsert(status, waitingFor, this.nodes.all(), this.end !== undefined)
  }
}

const now = (): string => new Date().toISOString()

/** Holds for milestones that the activity of their node publishes. */
const isReported = ({ node_type, status }: NodeMilestone): boolean =>
  findKind(node_type)?.effect !== undefined &&
  (status === 'running' || status === 'completed' || status === 'compensated')

function timedOut(key: string): EngineEvent {
  return { type: 'failed', key, at: now(), timeout: true, error: { code: 'TIMEOUT', message: 'timed out' } }
}
