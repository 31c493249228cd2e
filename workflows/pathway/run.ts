import { workflowInfo } from '@temporalio/workflow'
import type { FinishInput, RunEnding } from '../../activities/types.ts'
import type { JobStatus, NodeMilestone, WaitingFor } from '../../domain/jobs.ts'
import type { Command, EngineEvent } from '../../domain/pathway/engine/commands.ts'
import { advance, progressOf } from '../../domain/pathway/engine/next.ts'
import { type EngineState, initialState } from '../../domain/pathway/engine/state.ts'
import { compileGraph, type Graph } from '../../domain/pathway/graph.ts'
import { findKind } from '../../domain/pathway/kinds/index.ts'
import { Visibility } from '../run/visibility.ts'
import type { RunState, WaitEventInput } from '../run/messages.ts'
import { type ProjectionBufferState, ProjectionBuffer } from '../run/projection-buffer.ts'
import { RecentNodes } from '../run/recent-nodes.ts'
import { type InterventionsState, OpenInterventions } from '../run/interventions.ts'
import { Effects } from './effects.ts'
import type { PathwayRunInput } from './messages.ts'
import { type EarlyEvents, Waits } from './waits.ts'

/** The state that continue-as-new passes on. */
export interface ContinueAsNewState {
  engine: EngineState
  interventions: InterventionsState
  early: EarlyEvents
  projections: ProjectionBufferState
  /** Commands without an answer yet: waits, and what was held back. */
  pending: Command[]
  queue: EngineEvent[]
  paused: boolean
  nodes: NodeMilestone[]
  visible: string
}

/** Nodes the run's own summary remembers. */
const MAX_REMEMBERED = 500
/** Activities and children at a time. The server refuses a run that has 2,000 of a kind open. */
const MAX_IN_FLIGHT = 1_000
/** What is awaited, as far as it is shown to operators and to the run around this one. */
const MAX_WAITING_SHOWN = 100

type Effect = Extract<Command, { type: 'run' | 'child' | 'undo' }>

/** One run: feeds events to the pure engine and carries out what it answers. */
export class PathwayRun {
  readonly interventions: OpenInterventions
  private readonly input: PathwayRunInput
  private readonly graph: Graph
  private readonly effects: Effects
  private readonly waits: Waits
  private readonly projections: ProjectionBuffer
  private readonly visibility: Visibility
  private readonly nodes: RecentNodes
  /** Nodes that are runs of their own: nobody but this run tells of them. */
  private readonly childKeys = new Set<string>()
  private readonly childrenWaiting = new Map<string, WaitingFor[]>()
  /** Commands in progress that continue-as-new has to start again. */
  private readonly standing = new Map<string, Command>()
  private engine: EngineState
  /** What has happened and is not taken yet. */
  private queue: EngineEvent[]
  private isScheduled = false
  /** The engine has asked for a breath. */
  private isResting = false
  /** Effects that have to wait until others are over, by key. */
  private readonly held = new Map<string, Effect>()
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
    this.nodes = new RecentNodes(MAX_REMEMBERED, state?.nodes)
    this.waits = new Waits(state?.early)
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
    this.effects = new Effects({
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
    for (const command of state.pending) this.carryOut(command)
    this.deliver({ type: 'continue', at: now() })
  }

  /** Ends the run as its row says that it has ended. */
  endAs({ outcome, result, error, receipt = [] }: RunEnding): void {
    this.end ??= { type: 'finish', outcome, result, error, receipt }
  }

  /** Something has happened. While paused it is kept for later, and nothing new begins. */
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
    await this.effects.pauseChildren(by, true)
  }

  async resume(by: string): Promise<void> {
    if (!this.paused) return
    this.paused = false
    this.schedule()
    await this.effects.pauseChildren(by, false)
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
    return this.isDraining && !this.end && this.effects.inFlight === 0
  }

  /** A child may take weeks, so nothing is held back for it: the run then continues as new some time later. */
  private get isDraining(): boolean {
    return this.draining && !this.effects.hasChildren
  }

  flushed(): Promise<void> {
    return this.projections.flushed()
  }

  snapshot(): ContinueAsNewState {
    return {
      engine: this.engine,
      interventions: this.interventions.snapshot(),
      early: this.waits.snapshot(),
      projections: this.projections.snapshot(),
      pending: [...this.standing.values(), ...this.held.values()],
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

  /** Takes and publishes what has happened once all of this moment has been delivered: many results cost one pass. */
  private schedule(): void {
    if (this.isScheduled) return
    this.isScheduled = true
    void Promise.resolve().then(() => {
      this.isScheduled = false
      const isReady = !this.end && !this.paused && !this.isResting
      if (isReady && this.queue.length > 0) this.takeEvents()
      this.settleDown()
      if (isReady && this.isResting) void this.rest()
    })
  }

  /** The engine has done much in one go: it goes on once that is written. */
  private async rest(): Promise<void> {
    await this.projections.yieldByWriting()
    this.isResting = false
    this.deliver({ type: 'continue', at: now() })
  }

  private takeEvents(): void {
    const { state, commands, milestones, taken } = advance(this.graph, this.engine, this.queue)
    for (const event of this.queue.splice(0, taken)) if ('key' in event) this.forget(event.key)
    this.engine = state
    for (const command of commands) if (command.type === 'child') this.childKeys.add(command.key)
    this.projections.addNodes(milestones, milestone => isReported(milestone) && !this.childKeys.has(milestone.key))
    for (const milestone of milestones) this.remember(milestone)
    for (const command of commands) this.carryOut(command)
    for (const effect of this.held.values()) {
      if (!this.hasRoom) break
      this.held.delete(effect.key)
      this.effects[effect.type](effect as never)
    }
  }

  private get hasRoom(): boolean {
    return !this.isDraining && this.effects.inFlight < MAX_IN_FLIGHT
  }

  private carryOut(command: Command): void {
    switch (command.type) {
      case 'run':
      case 'child':
      case 'undo':
        if (!this.hasRoom) return void this.held.set(command.key, command)
        return this.effects[command.type](command as never)
      case 'ask':
        return this.interventions.open(command, now())
      case 'wait':
        return this.wait(command)
      case 'deadline':
        this.standing.set(command.key, command)
        return this.effects.timer(command.key, command.at, `time limit: ${command.key}`, () => timedOut(command.key))
      case 'cancel':
        return this.stop(command.key)
      case 'yield':
        this.isResting = true
        return
      case 'finish':
        this.end = command
    }
  }

  private wait(command: Extract<Command, { type: 'wait' }>): void {
    const { key, until, event, deadline } = command
    this.standing.set(key, command)
    if (until) {
      const done: EngineEvent = { type: 'completed', key, at: until, output: { at: until } }
      return this.effects.timer(key, until, `until ${until}: ${key}`, () => done)
    }
    const arrival = event === undefined ? undefined : this.waits.add(key, event)
    if (arrival) return this.deliver(arrival)
    if (deadline) this.effects.timer(key, deadline, `${event} until ${deadline}: ${key}`, () => timedOut(key))
  }

  private stop(key: string): void {
    const isHeld = this.held.delete(key)
    const isWaiting = this.waits.remove(key)
    if (this.effects.cancel(key)) return
    if (isHeld || isWaiting) this.deliver({ type: 'settled', key, at: now(), outcome: 'stopped' })
    else this.interventions.cancel(key)
  }

  /** The command under this key has its answer. */
  private forget(key: string): void {
    this.standing.delete(key)
    this.childrenWaiting.delete(key)
    if (this.waits.remove(key) || this.engine.active[key]) this.effects.drop(key)
  }

  private remember(milestone: NodeMilestone): void {
    const { output: _output, ...rest } = milestone
    this.nodes.add(rest)
  }

  /** The key of what failed, of what is awaited, else of the node that began last. */
  private currentStep(): string | undefined {
    if (this.end?.error?.node_key) return this.end.error.node_key
    const [child] = this.childrenWaiting.keys()
    const awaited = this.interventions.firstKey() ?? child ?? this.waits.firstKey()
    return this.status() === 'waiting' ? awaited : (this.nodes.latestOpen() ?? awaited)
  }

  private waitingFor(): WaitingFor[] {
    const open = this.interventions.waitingFor(MAX_WAITING_SHOWN)
    for (const waiting of this.childrenWaiting.values()) {
      if (open.length >= MAX_WAITING_SHOWN) break
      open.push(...waiting.slice(0, MAX_WAITING_SHOWN - open.length))
    }
    return open
  }

  private status(): JobStatus {
    if (this.end) return this.end.outcome === 'completed' ? 'completed' : 'failed'
    if (this.paused) return 'paused'
    const awaited = this.interventions.openCount + this.childrenWaiting.size + this.waits.size
    const others = this.effects.inFlight - this.childrenWaiting.size
    return awaited > 0 && others <= 0 ? 'waiting' : 'running'
  }

  /** Brings what the outside sees in line with the state, after everything that happened at once. */
  private settleDown(): void {
    if (workflowInfo().continueAsNewSuggested) this.draining = true
    const status = this.status()
    const waitingFor = this.waitingFor()
    if (!this.end) this.projections.setStatus(status)
    if (!this.end) this.projections.write()
    this.visibility.upsert(status, waitingFor, this.nodes.all(), this.end !== undefined)
  }
}

const now = (): string => new Date().toISOString()

/** Activities tell the stream and Postgres about the nodes they run. */
const isReported = ({ node_type, status }: NodeMilestone): boolean =>
  findKind(node_type)?.effect !== undefined &&
  (status === 'running' || status === 'completed' || status === 'compensated')

function timedOut(key: string): EngineEvent {
  return { type: 'failed', key, at: now(), timeout: true, error: { code: 'TIMEOUT', message: 'its time ran out' } }
}
