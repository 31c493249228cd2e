import { ApplicationFailure, proxyActivities, setHandler } from '@temporalio/workflow'
import type { MigrationActivities, MigrationRecord } from '../../activities/types.ts'
import type { Right } from '../../domain/access/rights.ts'
import type { EngineState } from '../../domain/pathways/engine/state.ts'
import { compileGraph, type Graph } from '../../domain/pathways/graph.ts'
import { planMigration, refuseMove } from '../../domain/pathways/migration/plan-migration.ts'
import type { MigrationPlan } from '../../domain/pathways/migration/types.ts'
import { RECORD_OPTIONS } from '../shared/steps/activity-options.ts'
import { createDeterministicId, now } from '../shared/deterministic.ts'
import { type Inbox, refuseEnded } from '../shared/run/inbox.ts'
import {
  type MigrationCheck,
  type MigrationInput,
  type MigrationQuestion,
  migrateUpdate,
  migrationQuery,
  type MigrationReply,
  NOT_MOVABLE,
  type PathwayRunInput,
  type RunVersion,
  type UndoInput,
  undoMigrationUpdate,
} from './messages.ts'

/** Migration state passed on by continue-as-new. */
export interface MigrationsState {
  revision: number
  /** Whether the run has left its initial version. */
  hasMoved?: boolean
  /** The version before the last move. Absent once the run has continued. */
  previous?: RunVersion
  /** The move that can be undone, with the keys of the nodes that it skipped. */
  last?: { id: string; skipped: string[] }
}

/** Parts of a run that a move reads and replaces. */
export interface MovableRun {
  readonly input: PathwayRunInput
  readonly graph: Graph
  readonly engine: EngineState
  /** Returns why the run is not at a safe point, or undefined if it is. */
  findObstacle: () => string | undefined
  /** Lists the keys of nodes in which people have decided or voted, but which the engine has not ended. */
  listAnswered: () => string[]
  /** `rights`: the rights of the person who moves the run. */
  adopt(version: RunVersion, graph: Graph, plan: MigrationPlan, rights: Right[]): void
  /** Adds the person who moves the run to the people behind it. */
  join(people: string[]): Promise<void>
  /** Resolves when everything that the run has published is written. */
  flush(): Promise<void>
  /** Starts the nodes in which people decide again, even if the run is paused. */
  askAgain(): void
}

/** Maximum number of nodes listed by a check. */
const MAX_ASKED_AGAIN = 1_000

/**
 * A regular activity, because it starts only once the move is in the history. It therefore never records a move that
 * is lost.
 */
const { recordMigration } = proxyActivities<MigrationActivities>({
  startToCloseTimeout: RECORD_OPTIONS.startToCloseTimeout,
  retry: RECORD_OPTIONS.retry,
})

/** Moves a run between versions of its pathway at a safe point. Records the move before the next step. */
export class Migrations {
  /** True while a move is being recorded. The run takes no steps during that time. */
  isRecording = false
  private readonly run: () => MovableRun
  private readonly onChange: () => void
  private state: MigrationsState

  constructor(run: () => MovableRun, onChange: () => void, state: MigrationsState = { revision: 0 }) {
    this.run = run
    this.onChange = onChange
    this.state = state
  }

  register(inbox: Inbox): void {
    setHandler(migrationQuery, question => this.check(question), {
      description: 'Whether the run could move to another version now',
    })
    setHandler(
      migrateUpdate,
      inbox(input => this.migrate(input), refuseEnded),
      {
        description: 'Moves the run to another version of its pathway',
        validator: input => void this.requirePlan(input),
      },
    )
    setHandler(
      undoMigrationUpdate,
      inbox(input => this.undo(input), refuseEnded),
      {
        description: 'Undoes the last move',
        validator: input => void this.requireUndoPlan(input),
      },
    )
  }

  /** Records that the run has taken steps, after which a move cannot be undone. */
  noteSteps(count: number): void {
    if (count > 0) this.state = { revision: this.state.revision + count, ...this.keepMoved() }
  }

  /** Whether the run has left its initial version. */
  get hasMoved(): boolean {
    return this.state.hasMoved === true
  }

  private keepMoved(): Pick<MigrationsState, 'hasMoved'> {
    return this.hasMoved ? { hasMoved: true } : {}
  }

  snapshot(): MigrationsState {
    return this.state
  }

  private check({ answered: answeredKeys, ...version }: MigrationQuestion): MigrationCheck {
    const { problems, asked_again } = this.plan(compileGraph(version.definition, { pins: version }), answeredKeys)
    const { version: currentVersion } = this.run().input.pathway
    return {
      revision: this.state.revision,
      version: currentVersion,
      problems,
      asked_again: asked_again.slice(0, MAX_ASKED_AGAIN),
    }
  }

  private plan(graph: Graph, answeredKeys: string[] = []): MigrationPlan {
    const { graph: present, engine, findObstacle, listAnswered } = this.run()
    const obstacle = findObstacle()
    if (obstacle !== undefined) return refuseMove(engine, obstacle)
    return planMigration(present, graph, engine, now(), new Set([...answeredKeys, ...listAnswered()]))
  }

  private requirePlan({ revision, answered: answeredKeys, ...version }: MigrationInput): {
    graph: Graph
    plan: MigrationPlan
  } {
    if (revision !== this.state.revision)
      throwNotMovable([{ pointer: '', message: 'the run has changed since the migration check' }])
    const graph = compileGraph(version.definition, { pins: version })
    const plan = this.plan(graph, answeredKeys)
    if (plan.problems.length > 0) throwNotMovable(plan.problems)
    return { graph, plan }
  }

  private requireUndoPlan({ id, answered: answeredKeys }: Omit<UndoInput, 'by'>): {
    last: Required<MigrationsState>['last']
    previous: RunVersion
    graph: Graph
    plan: MigrationPlan
  } {
    const { previous, last } = this.state
    if (!previous || !last)
      return throwNotMovable([{ pointer: '', message: 'nothing to undo: the run has not moved since its last step' }])
    if (id !== undefined && id !== last.id)
      return throwNotMovable([
        { pointer: '', message: `the run has moved again, to version ${this.run().input.pathway.version}` },
      ])
    const graph = compileGraph(previous.definition, { pins: previous })
    const plan = this.plan(graph, answeredKeys)
    if (plan.problems.length > 0) throwNotMovable(plan.problems)
    return { last, previous, graph, plan }
  }

  private async migrate(input: MigrationInput): Promise<MigrationReply> {
    const { graph, plan } = this.requirePlan(input)
    const { revision: _revision, answered: _answered, by, ...version } = input
    const previous = getRunVersion(this.run().input)
    const revision = this.state.revision + 1
    const id = createDeterministicId(`migration ${revision}`)
    this.run().adopt(version, graph, plan, by.rights)
    this.state = { revision, hasMoved: true, previous, last: { id, skipped: plan.milestones.map(({ key }) => key) } }
    return this.record({ id, by, from: previous, to: version }, plan)
  }

  private async undo(input: UndoInput): Promise<MigrationReply> {
    const { by } = input
    const { last, previous, graph, plan } = this.requireUndoPlan(input)
    const present = getRunVersion(this.run().input)
    this.run().adopt(previous, graph, plan, by.rights)
    this.state = { revision: this.state.revision + 1, ...this.keepMoved() }
    const { id, skipped: unskipped } = last
    return this.record({ id, by, from: present, to: previous, is_undo: true, unskipped }, plan)
  }

  private async record(
    {
      from,
      to,
      ...move
    }: Pick<MigrationRecord, 'id' | 'by' | 'is_undo' | 'unskipped'> & {
      from: RunVersion
      to: RunVersion
    },
    { asked_again, dropped }: MigrationPlan,
  ): Promise<MigrationReply> {
    const { job } = this.run().input
    const again = asked_again.length > 0 ? { asked_again: asked_again.map(({ key }) => key), dropped } : {}
    const versions = { from_version: from.pathway.version, to_version: to.pathway.version, at: now() }
    this.isRecording = true
    this.onChange()
    // The record deletes node rows, and none of them may be written afterwards.
    if (asked_again.length > 0) await this.run().flush()
    await Promise.all([recordMigration({ job, ...move, ...versions, ...again }), this.run().join(move.by.people)])
    this.isRecording = false
    if (asked_again.length > 0) this.run().askAgain()
    this.onChange()
    return { job_id: job.job_id, ...versions }
  }
}

const getRunVersion = ({ pathway, definition, subflows, neurons }: PathwayRunInput): RunVersion => ({
  pathway,
  definition,
  subflows,
  neurons,
})

function throwNotMovable(problems: MigrationCheck['problems']): never {
  throw ApplicationFailure.nonRetryable(problems[0]?.message ?? 'the run cannot move', NOT_MOVABLE, ...problems)
}
