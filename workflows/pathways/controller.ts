import { upsertSearchAttributes } from '@temporalio/workflow'
import type { RecordInput, RunEnding } from '../../activities/types.ts'
import { intersectRights, type Right } from '../../domain/access/rights.ts'
import type { Usage } from '../../domain/access/usage.ts'
import type { DecisionCovers, NodeMilestone } from '../../domain/runs/nodes.ts'
import { computeCovers } from '../../domain/pathways/decisions/covers.ts'
import type { Command, EngineEvent } from '../../domain/pathways/engine/commands.ts'
import { advance, listMapProgress, measureProgress } from '../../domain/pathways/engine/next.ts'
import { listEvents } from '../../domain/pathways/event-names.ts'
import { type EngineState, createInitialState } from '../../domain/pathways/engine/state.ts'
import { compileGraph, type Graph } from '../../domain/pathways/graph.ts'
import { findNodeKind } from '../../domain/pathways/kinds/index.ts'
import { createDroppedCheck } from '../../domain/pathways/migration/drop-decisions.ts'
import type { MigrationPlan } from '../../domain/pathways/migration/types.ts'
import type { Inbox } from '../shared/run/inbox.ts'
import type { ClosingEvent } from '../shared/run/interventions.ts'
import type { EndWaitsInput, EventReply, WaitEventInput } from '../shared/run/messages.ts'
import { now } from '../shared/deterministic.ts'
import { RunController, type RunSnapshot } from '../shared/run/run-controller.ts'
import { PathwayCommandExecutor } from './command-executor.ts'
import { buildPathwayAttributes } from '../shared/run/attributes.ts'
import { arrangeRunInput, type PathwayRunInput, type RunVersion } from './messages.ts'
import { Migrations, type MigrationsState } from './migrations.ts'
import { type BufferedEvents, createArrivalEvent, Waits } from './waits.ts'
import { buildRunSnapshot } from '../shared/run/fork-snapshot.ts'

/** The state passed on by continue-as-new. */
export interface PathwaySnapshot extends RunSnapshot<EngineEvent, Command> {
  engine: EngineState
  bufferedEvents: BufferedEvents
  /** Waits and time limits in progress. */
  resumable: Command[]
  usage?: Usage
  migrations?: MigrationsState
}

/** Maximum number of nodes in the run's own summary. */
const MAX_RECENT_NODES = 500
/**
 * Maximum number of concurrent activities and child runs. The server allows 2,000 pending ones of each kind per run.
 */
const MAX_IN_FLIGHT = 1_000

/** Controls a pathway run. Its state machine is the engine. */
export class PathwayController extends RunController<EngineEvent, Command> {
  protected readonly executor: PathwayCommandExecutor
  protected override readonly waits: Waits
  input: PathwayRunInput
  private graph: Graph
  private readonly migrations: Migrations
  /** Nodes that are child runs. This run publishes their milestones. */
  private readonly childKeys = new Set<string>()
  /** Commands in progress that restart after continue-as-new. */
  private readonly resumable = new Map<string, Command>()
  private engine: EngineState
  /** Whether a `yield` of the engine is in progress. */
  private isYielding = false

  constructor(input: PathwayRunInput, snapshot?: PathwaySnapshot) {
    super(input, MAX_RECENT_NODES, snapshot)
    const { job, requester, strict_assignees = false } = input
    this.input = input
    this.graph = compileGraph(input.definition, { pins: input })
    const { people, labels } = job
    const engine = snapshot?.engine ?? createInitialState(input.input, { id: job.job_id, requester, people, labels })
    this.engine = strict_assignees ? engine : { ...engine, run: { ...engine.run, allows_no_assignees: true } }
    this.waits = new Waits(snapshot?.bufferedEvents)
    this.migrations = new Migrations(
      () => this.toMovable(),
      () => this.schedule(),
      snapshot?.migrations,
    )
    const deps = {
      readInput: () => this.input,
      deliver: (event: EngineEvent) => this.deliver(event),
      isStopping: (key: string) => this.engine.stopping[key] === true,
      takeUnpublished: () => this.projections.takeUnpublished(),
      endAs: (ending: RunEnding) => this.endAs(ending),
      onRetry: () => this.showDetails(),
    }
    this.executor = new PathwayCommandExecutor(deps, snapshot?.usage)
  }

  start(snapshot?: PathwaySnapshot): void {
    this.interventions.restartTimers()
    for (const command of snapshot?.resumable ?? []) this.execute(command)
    this.deliver({ type: snapshot ? 'continue' : 'start', at: now() })
  }

  cancel(): void {
    if (this.end) return
    this.paused = false
    this.queue.unshift({ type: 'cancel', at: now() })
    this.schedule()
  }

  override event(event: WaitEventInput): EventReply {
    const { arrivals, ...reply } = this.waits.receive(event)
    for (const arrival of arrivals) this.deliver(arrival)
    return reply
  }

  protected override listEvents(): string[] {
    return [...new Set(listEvents(this.input.definition))]
  }

  protected override setPeople(people: string[]): void {
    super.setPeople(people)
    this.engine = { ...this.engine, run: { ...this.engine.run, people } }
  }

  override registerHandlers(inbox: Inbox): void {
    this.migrations.register(inbox)
  }

  override endWaits({ keys, by }: EndWaitsInput): void {
    for (const key of keys) {
      const command = this.resumable.get(key)
      if (command?.type === 'wait') this.deliver(createArrivalEvent(key, { name: command.event, by }))
    }
  }

  override snapshot(): PathwaySnapshot {
    return {
      ...super.snapshot(),
      engine: this.engine,
      bufferedEvents: this.waits.snapshot(),
      resumable: [...this.resumable.values()],
      usage: this.usage,
      migrations: this.migrations.snapshot(),
    }
  }

  protected override get isReady(): boolean {
    return super.isReady && !this.isYielding && !this.migrations.isRecording
  }

  protected override get hasCapacity(): boolean {
    return super.hasCapacity && this.executor.inFlight < MAX_IN_FLIGHT
  }

  /** Static details name the initial version, because Temporal can't change them. */
  protected override get movedTo(): number | null | undefined {
    return this.migrations.hasMoved ? this.input.pathway.version : undefined
  }

  protected get usage(): Usage {
    return this.executor.usage
  }

  protected countProgress(): RecordInput['progress'] {
    return measureProgress(this.graph, this.engine)
  }

  protected onInterventionClosed(event: ClosingEvent): void {
    this.deliver(event)
  }

  protected override findCovers(key: string): DecisionCovers {
    return computeCovers(this.graph, this.engine, key)
  }

  protected apply(events: EngineEvent[]): EngineEvent[] {
    const { state, commands, milestones, eventCount } = advance(this.graph, this.engine, events)
    for (const event of events.slice(0, eventCount)) if ('key' in event) this.removeCommand(event.key)
    this.engine = state
    this.migrations.noteSteps(events.slice(0, eventCount).filter(({ type }) => type !== 'continue').length)
    this.noteMaps(milestones)
    for (const command of commands) if (command.type === 'child') this.childKeys.add(command.key)
    this.recordMilestones(milestones, milestone => isReported(milestone) && !this.childKeys.has(milestone.key))
    for (const command of commands) this.execute(command)
    return events.slice(eventCount)
  }

  protected execute(command: Command): void {
    switch (command.type) {
      case 'run':
      case 'child':
      case 'compensate':
        if (!this.hasCapacity) return void this.deferred.set(command.key, command)
        return this.executor.execute(command)
      case 'ask':
        return this.interventions.open(command, now())
      case 'wait':
        return this.wait(command)
      case 'deadline':
        this.resumable.set(command.key, command)
        return this.startTimeLimit(command.key, command.at, `time limit: ${command.key}`)
      case 'cancel':
        return this.stop(command.key)
      case 'yield':
        return void this.yieldThenContinue()
      case 'finish': {
        const { type: _type, ...end } = command
        const { trace } = this.input
        this.end = { ...end, ...(trace && { trace }) }
      }
    }
  }

  private wait(command: Extract<Command, { type: 'wait' }>): void {
    const { key, until, event, deadline } = command
    this.resumable.set(key, command)
    if (until) {
      this.waits.addTime(key, until)
      const completion: EngineEvent = { type: 'completed', key, at: until, output: { at: until } }
      return this.executor.startTimer(key, until, `until ${until}: ${key}`, () => completion)
    }
    const arrival = event === undefined ? undefined : this.waits.addEvent(key, event)
    if (arrival) return this.deliver(arrival)
    if (deadline) this.startTimeLimit(key, deadline, `${event} until ${deadline}: ${key}`)
  }

  private startTimeLimit(key: string, at: string, summary: string): void {
    const error = { code: 'TIMEOUT', message: 'timed out' }
    this.executor.startTimer(key, at, summary, () => ({ type: 'failed', key, at: now(), timeout: true, error }))
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
    this.resumable.delete(key)
    if (this.waits.remove(key) || this.engine.active[key]) this.executor.drop(key)
  }

  private toMovable() {
    const { input, graph, engine } = this
    return {
      input,
      graph,
      engine,
      findObstacle: () => this.findObstacle(),
      adopt: (version: RunVersion, next: Graph, plan: MigrationPlan, rights: Right[]) =>
        this.adopt(version, next, plan, rights),
      join: (people: string[]) => this.join(people),
      listAnswered: () => this.listAnswered(),
      flush: () => this.projections.flushAll(),
      askAgain: () => void this.apply([{ type: 'continue', at: now() }]),
    }
  }

  /** Lists the keys of nodes with answers that the engine hasn't applied. A paused run applies decisions on resume. */
  private listAnswered(): string[] {
    const queuedKeys = this.queue.flatMap(event => (event.type === 'completed' ? [event.key] : []))
    return [...queuedKeys, ...this.interventions.listVoted()]
  }

  /** A run can move while it is waiting or paused and has no activity in progress. */
  private findObstacle(): string | undefined {
    if (this.end) return 'the run has ended'
    const { status, current_step } = this.describe()
    if (status !== 'waiting' && status !== 'paused')
      return `the run is ${status}: pause it, or wait until it is waiting for people, an event or a time`
    if (this.executor.activitiesInFlight > 0) return `the run has work in progress at ${current_step ?? 'a node'}`
    return status === 'waiting' && this.queue.length > 0 ? 'the run is between two steps' : undefined
  }

  private adopt(
    { pathway, ...version }: RunVersion,
    graph: Graph,
    { state, milestones, dropped }: MigrationPlan,
    rights: Right[],
  ): void {
    const { title } = this.input.pathway
    const job = { ...this.input.job, rights: intersectRights(this.input.job.rights, rights) }
    this.input = arrangeRunInput({ ...this.input, ...version, job, pathway: { ...pathway, title } })
    this.graph = graph
    this.engine = state
    this.leaveNodes(dropped)
    this.recordMilestones(milestones)
    upsertSearchAttributes(buildPathwayAttributes(pathway))
  }

  /** Ends everything in progress in nodes that return to "not reached". Delivers no events. */
  private leaveNodes(dropped: string[]): void {
    if (dropped.length === 0) return
    const isDropped = createDroppedCheck(dropped)
    for (const key of [...this.resumable.keys()].filter(isDropped)) {
      this.resumable.delete(key)
      this.waits.remove(key)
      this.executor.drop(key)
    }
    for (const key of [...this.maps.keys()].filter(isDropped)) this.maps.delete(key)
    this.interventions.withdraw(isDropped)
    this.queue = this.queue.filter(event => !('key' in event && isDropped(event.key)))
    this.nodes.remove(isDropped)
  }

  /** Records the progress of maps. The engine deletes the progress of a finished map. */
  private noteMaps(milestones: NodeMilestone[]): void {
    for (const [key, progress] of listMapProgress(this.engine)) this.maps.set(key, progress)
    for (const { key, status } of milestones) {
      const map = status === 'completed' && this.maps.get(key)
      if (map) this.maps.set(key, { ...map, done: map.total })
    }
  }

  /** Continues the engine after its updates are written, which happens after this pass. */
  private async yieldThenContinue(): Promise<void> {
    this.isYielding = true
    await Promise.resolve()
    await this.projections.yieldByWriting()
    this.isYielding = false
    this.deliver({ type: 'continue', at: now() })
  }
}

/** Returns whether the activity of the node publishes the milestone. */
const isReported = ({ node_type, status, is_given }: NodeMilestone): boolean =>
  !is_given && findNodeKind(node_type)?.effect !== undefined && (status === 'running' || status === 'completed')

/**
 * Builds the initial snapshot of a fork, which starts like a run after continue-as-new.
 * @param timers time limits in progress
 * @param nodes reused nodes, to show to operators
 */
export const buildForkSnapshot = (engine: EngineState, timers: Command[], nodes: NodeMilestone[]): PathwaySnapshot => ({
  ...buildRunSnapshot(nodes),
  engine,
  resumable: timers,
  bufferedEvents: [],
})
