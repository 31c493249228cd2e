import { ApplicationFailure, getExternalWorkflowHandle, proxyLocalActivities, workflowInfo } from '@temporalio/workflow'
import type { FinishInput, PathwayProjections, RecordInput, RunEnding } from '../../../activities/types.ts'
import { union } from '../../../domain/people/handling.ts'
import type { JobRef, JobStatus } from '../../../domain/runs/jobs.ts'
import type { Usage } from '../../../domain/access/usage.ts'
import type { DecisionCovers, NodeMilestone } from '../../../domain/runs/nodes.ts'
import type { WaitingFor } from '../../../domain/people/intervention.ts'
import type { TraceTurn } from '../../../domain/agents/run-spec.ts'
import { RECORD_OPTIONS } from '../steps/activity-options.ts'
import type { CommandExecutor } from '../steps/command-executor.ts'
import type { Inbox } from './inbox.ts'
import { type ClosingEvent, type InterventionsState, OpenInterventions } from './interventions.ts'
import {
  type ChildState,
  type EndWaitsInput,
  type EventReply,
  INVALID_INPUT,
  joinSignal,
  type RunState,
  type WaitEventInput,
} from './messages.ts'
import type { MapProgress } from '../view/node-table.ts'
import { now } from '../deterministic.ts'
import { ProjectionBuffer, type ProjectionBufferState } from '../view/projection-buffer.ts'
import { RecentNodes } from '../view/recent-nodes.ts'
import { Visibility } from '../view/visibility.ts'

/** The run state passed on by continue-as-new. */
export interface RunSnapshot<Event, Command> {
  interventions: InterventionsState
  projections: ProjectionBufferState
  queue: Event[]
  deferred: [key: string, command: Command][]
  paused: boolean
  nodes: NodeMilestone[]
  visible: string
}

const { addPeople } = proxyLocalActivities<PathwayProjections>(RECORD_OPTIONS)

/** Maximum number of `waitingFor` entries shown to operators and the parent run. */
const MAX_WAITING_FOR = 100
/** Maximum number of events listed in an error message. */
const MAX_LISTED_EVENTS = 20

/**
 * Controls one run: passes events to a pure state machine, executes its commands and publishes the state. All events
 * of one moment are applied and published in one pass.
 */
export abstract class RunController<Event, Command> {
  readonly interventions: OpenInterventions
  protected readonly projections: ProjectionBuffer
  protected readonly nodes: RecentNodes
  protected abstract readonly executor: CommandExecutor<Event>
  /** Nodes that wait for named events. */
  protected readonly waits: { size: number; firstKey(): string | undefined } = { size: 0, firstKey: () => undefined }
  /** Progress of `map` nodes, by key. */
  protected readonly maps: Map<string, MapProgress> = new Map()
  /** Events that are not applied yet. */
  protected queue: Event[]
  /** Commands that wait for capacity, by key. */
  protected readonly deferred: Map<string, Command>
  protected paused: boolean
  protected end: (RunEnding & Pick<FinishInput, 'trace'>) | undefined
  private readonly visibility: Visibility
  private isScheduled = false
  /** Number of joins in progress. The run takes no steps until all affected runs are notified. */
  private joining = 0

  constructor(
    run: { job: JobRef; parent_key?: string; strict_assignees?: boolean },
    maxRecentNodes: number,
    snapshot?: RunSnapshot<Event, Command>,
  ) {
    this.queue = snapshot?.queue ?? []
    this.deferred = new Map(snapshot?.deferred)
    this.paused = snapshot?.paused ?? false
    this.visibility = new Visibility(run, snapshot?.visible)
    this.nodes = new RecentNodes(maxRecentNodes, snapshot?.nodes)
    this.projections = new ProjectionBuffer(
      run.job,
      () => ({ current_step: this.currentStep(), progress: this.countProgress() }),
      snapshot?.projections,
    )
    this.interventions = new OpenInterventions(
      {
        jobId: run.job.job_id,
        keepsEveryone: run.strict_assignees === true,
        deliver: event => this.onInterventionClosed(event),
        emitChange: change => this.projections.addInterventionChange(change),
        onChange: () => this.schedule(),
        findCovers: key => this.findCovers(key),
      },
      snapshot?.interventions,
    )
  }

  /** The input with which the run continues as new. */
  abstract input: { job: JobRef; trace?: TraceTurn }

  /** Starts the run, or continues it from a snapshot. */
  abstract start(snapshot?: RunSnapshot<Event, Command>): void

  /** Stops work in progress and writes a receipt. */
  abstract cancel(): void

  /** Applies events in order and returns the events left for the next pass. */
  protected abstract apply(events: Event[]): Event[]

  protected abstract execute(command: Command): void

  protected abstract onInterventionClosed(event: ClosingEvent): void

  /** Returns what a decision at a node covers. Undefined for agents: their tasks show everything that is decided. */
  protected findCovers(_key: string): DecisionCovers | undefined {
    return undefined
  }

  protected abstract countProgress(): RecordInput['progress']

  /** The definition version that the run has moved to. */
  protected get movedTo(): number | null | undefined {
    return undefined
  }

  /** Model cost of the run. */
  protected abstract get usage(): Usage

  /** Ends the run with the ending that is stored in its row. */
  endAs(ending: RunEnding): void {
    this.end = ending
  }

  /** Queues an event. A paused run applies it on resume. */
  deliver(event: Event): void {
    if (this.end) return
    this.queue.push(event)
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

  /**
   * Adds people to those behind the tree of runs. They may not decide in nodes that ask other people. Resolves when
   * the run's row, its parent run and its child runs are updated.
   */
  async join(people: string[]): Promise<void> {
    const { job } = this.input
    const newPeople = people.filter(name => !job.people.includes(name))
    if (this.end || newPeople.length === 0) return
    this.setPeople(union(job.people, newPeople))
    this.interventions.exclude(newPeople)
    this.joining++
    await Promise.all([
      addPeople({ job, people: newPeople }),
      this.joinParent(newPeople),
      this.executor.joinChildren(newPeople),
    ])
    this.joining--
    this.schedule()
  }

  protected setPeople(people: string[]): void {
    this.input = { ...this.input, job: { ...this.input.job, people } }
  }

  private async joinParent(people: string[]): Promise<void> {
    const { parent } = workflowInfo()
    if (!parent) return
    // An ended run doesn't need the notification.
    await getExternalWorkflowHandle(parent.workflowId)
      .signal(joinSignal, { people })
      .catch(() => undefined)
  }

  /** Passes a named event to the run's `wait` nodes. */
  event(_event: WaitEventInput): EventReply {
    return { delivered_to: [], kept: false }
  }

  /** Throws an ApplicationFailure if the run has no such event. */
  validateEvent({ name }: WaitEventInput): void {
    const names = this.listEvents()
    if (names.includes(name)) return
    const hint =
      names.length > 0
        ? `its wait nodes wait for ${names.slice(0, MAX_LISTED_EVENTS).join(', ')}`
        : 'it has no wait nodes for events'
    throw ApplicationFailure.nonRetryable(`the run has no event "${name}": ${hint}`, INVALID_INPUT)
  }

  protected listEvents(): string[] {
    return []
  }

  /** Registers the handlers of messages that only some kinds of runs have. */
  registerHandlers(_inbox: Inbox): void {}

  /** Ends `wait` nodes. Ignored by runs without them. */
  endWaits(_waits: EndWaitsInput): void {}

  childWaits({ key, ...state }: ChildState & { key: string }): void {
    if (state.isWaiting || state.waitingFor.length > 0) this.executor.childStates.set(key, state)
    else this.executor.childStates.delete(key)
    this.schedule()
  }

  get finished(): FinishInput | undefined {
    return this.end && { ...this.projections.toRecord(), at: now(), ...this.end }
  }

  /** Returns whether the history is long and only waits are open, so that the run can continue as new. */
  get canContinueAsNew(): boolean {
    return this.isDraining && !this.end && this.executor.inFlight === 0
  }

  flushed(): Promise<void> {
    return this.projections.flushed()
  }

  snapshot(): RunSnapshot<Event, Command> {
    return {
      interventions: this.interventions.snapshot(),
      projections: this.projections.snapshot(),
      queue: this.queue,
      deferred: [...this.deferred],
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

  protected get isReady(): boolean {
    return !this.end && !this.paused && this.joining === 0
  }

  /** Without capacity, commands that start work are deferred. */
  protected get hasCapacity(): boolean {
    return !this.isDraining
  }

  protected schedule(): void {
    if (this.isScheduled) return
    this.isScheduled = true
    void Promise.resolve().then(() => {
      this.isScheduled = false
      if (this.isReady) this.applyQueue()
      this.publishState()
    })
  }

  /** Adds milestones. Those for which `isReported` returns true are published by their node's activity. */
  protected recordMilestones(
    milestones: NodeMilestone[],
    isReported = (_milestone: NodeMilestone): boolean => false,
  ): void {
    this.projections.addNodes(milestones, isReported)
    for (const { output: _output, ...milestone } of milestones) this.nodes.add(milestone)
  }

  /** A child may take weeks, so a run with children defers nothing and continues as new later. */
  private get isDraining(): boolean {
    return workflowInfo().continueAsNewSuggested && !this.executor.hasChildren
  }

  private applyQueue(): void {
    const events = this.queue
    this.queue = []
    if (events.length > 0) this.queue = [...this.apply(events), ...this.queue]
    for (const [key, command] of this.deferred) {
      if (!this.hasCapacity) break
      this.deferred.delete(key)
      this.execute(command)
    }
  }

  /**
   * Returns the key of the failed node. If no node has failed, returns the key of a waiting node, or of the last
   * changed node.
   */
  private currentStep(): string | undefined {
    if (this.end?.error?.node_key) return this.end.error.node_key
    const [child] = this.executor.childStates.keys()
    const awaited = this.interventions.firstKey() ?? child ?? this.waits.firstKey()
    return this.status() === 'waiting' ? awaited : (this.nodes.latestOpen() ?? awaited)
  }

  private waitingFor(): WaitingFor[] {
    const open = this.interventions.waitingFor(MAX_WAITING_FOR)
    for (const { waitingFor } of this.executor.childStates.values()) {
      if (open.length >= MAX_WAITING_FOR) break
      open.push(...waitingFor.slice(0, MAX_WAITING_FOR - open.length))
    }
    return open
  }

  private status(): JobStatus {
    if (this.end) return this.end.outcome === 'completed' ? 'completed' : 'failed'
    if (this.paused) return 'paused'
    const { inFlight, waitingChildren } = this.executor
    const awaited = this.interventions.openCount + waitingChildren + this.waits.size
    return awaited > 0 && inFlight <= waitingChildren ? 'waiting' : 'running'
  }

  private publishState(): void {
    const status = this.status()
    if (!this.end) this.projections.setStatus(status)
    if (!this.end) this.projections.write()
    this.showDetails()
    this.visibility.upsert(status, this.waitingFor(), this.end !== undefined)
  }

  /** Shows the state to operators. Issues no workflow command. */
  protected showDetails(): void {
    this.visibility.show({
      status: this.end?.outcome ?? this.status(),
      movedTo: this.movedTo,
      end: this.end,
      waitingFor: this.waitingFor(),
      usage: this.usage,
      nodes: this.nodes.all(),
      retries: this.executor.retries,
      maps: this.maps,
      findDecider: key => this.interventions.findDecider(key),
    })
  }
}
