import { defineQuery, defineUpdate } from '@temporalio/workflow'
import type { JobRef } from '../../domain/runs/jobs.ts'
import type { JsonValue } from '../../domain/shared/json/json.ts'
import type { AskedAgain } from '../../domain/pathways/fork/types.ts'
import type { MigrationProblem } from '../../domain/pathways/migration/types.ts'
import type { PinnedNeuron, TraceTurn } from '../../domain/agents/run-spec.ts'
import type { MigrationAuthor } from '../../domain/runs/run-records.ts'
import type { PathwayDefinition, PinnedPathway } from '../../domain/pathways/definition.ts'

export const PATHWAY_WORKFLOW = 'pathway'

/** Input of a run, with all definitions pinned at its start. */
export interface PathwayRunInput {
  job: JobRef
  /** Set on a child run: the parent's node that started it. */
  parent_key?: string
  pathway: { id: string | null; slug: string; version: number | null; title: string }
  definition: PathwayDefinition
  /** All pathways that the definition refers to, directly or indirectly, by `ref`. */
  subflows: Record<string, PinnedPathway>
  /** All agents that the pathways refer to, by `ref`. */
  neurons?: Record<string, PinnedNeuron>
  input: JsonValue
  /** The thread turn that the run answers. */
  trace?: TraceTurn
  requester: string
  /**
   * If true, undoable steps never run as local activities, so that the history contains each completed step. Absent
   * in runs started by an earlier version.
   */
  records_undoable?: boolean
  /**
   * If true, a task is for everyone only if its node has no assignees, and an escalation doesn't change that. Absent
   * in runs started by an earlier version.
   */
  strict_assignees?: boolean
}

/** Returns the input of a new run. */
export const buildRunInput = (run: PathwayRunInput): PathwayRunInput =>
  arrangeRunInput({ ...run, records_undoable: true, strict_assignees: true })

/**
 * Orders the fields for the Temporal UI, which shows them in this order: the subject of the run first, the
 * definitions last.
 */
export function arrangeRunInput(run: PathwayRunInput): PathwayRunInput {
  const { input, pathway, requester, definition, subflows, neurons, ...more } = run
  const { title, ...version } = pathway
  return { input, pathway: { title, ...version }, requester, ...more, neurons, subflows, definition }
}

/** The version that a run follows: the part of its input that a move replaces. */
export type RunVersion = Pick<PathwayRunInput, 'pathway' | 'definition' | 'subflows' | 'neurons'>

/** A version that a run might move to. */
export type MigrationQuestion = Omit<RunVersion, 'pathway'> & ChildDecisions

/** Decisions that the run itself doesn't know about. */
interface ChildDecisions {
  /** Keys of nodes in whose child runs people have decided or voted. Absent in messages of an earlier version. */
  answered?: string[]
}

export interface MigrationInput extends RunVersion, ChildDecisions {
  /** The run revision for which the move was planned. */
  revision: number
  by: MigrationAuthor
}

/** Result of a migration check. */
export interface MigrationCheck {
  /** Increases with every step and every move of the run. */
  revision: number
  /** The run's current version. */
  version: number | null
  /** Empty if the run can move. */
  problems: MigrationProblem[]
  /** Nodes in which people decide again, at most 1,000. Absent in replies of an earlier version. */
  asked_again?: AskedAgain[]
}

export interface MigrationReply {
  job_id: string
  from_version: number | null
  to_version: number | null
  /** ISO 8601. */
  at: string
}

/** Failure type of a move that the run rejects. The details list the problems. */
export const NOT_MOVABLE = 'NOT_MOVABLE'

/** Returns whether a run could move to a version now, and the reasons if not. */
export const migrationQuery = defineQuery<MigrationCheck, [MigrationQuestion]>('migration')
/** Moves a run to another version of its pathway. Throws an ApplicationFailure of type `NOT_MOVABLE`. */
export const migrateUpdate = defineUpdate<MigrationReply, [MigrationInput]>('migrate')
export interface UndoInput extends ChildDecisions {
  by: MigrationAuthor
  /** Id of the move to undo. If absent, as in requests from an earlier version, the last move is undone. */
  id?: string
}

/** Undoes a move. Throws an ApplicationFailure of type `NOT_MOVABLE` once the run has continued or moved again. */
export const undoMigrationUpdate = defineUpdate<MigrationReply, [UndoInput]>('undoMigration')
