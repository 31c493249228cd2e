import { defineQuery, defineUpdate } from '@temporalio/workflow'
import type { JobRef } from '../../domain/runs/jobs.ts'
import type { JsonValue } from '../../domain/shared/json/json.ts'
import type { AskedAgain } from '../../domain/pathways/fork/types.ts'
import type { MigrationProblem } from '../../domain/pathways/migration/types.ts'
import type { PinnedNeuron, TraceTurn } from '../../domain/agents/run-spec.ts'
import type { MigrationAuthor } from '../../domain/runs/run-records.ts'
import type { PathwayDefinition, PinnedPathway } from '../../domain/pathways/definition.ts'

export const PATHWAY_WORKFLOW = 'pathway'

/** The input of a run, with all definitions pinned at its start. */
export interface PathwayRunInput {
  job: JobRef
  /** The parent's node that started it. Set on a child run. */
  parent_key?: string
  pathway: { id: string | null; slug: string; version: number | null; title: string }
  definition: PathwayDefinition
  /** All pathways that the definition refers to, directly or not, by their `ref`. */
  subflows: Record<string, PinnedPathway>
  /** All neurons that the pathways refer to, by their `ref`. */
  neurons?: Record<string, PinnedNeuron>
  input: JsonValue
  /** The turn of the thread that the run answers. */
  trace?: TraceTurn
  requester: string
  /**
   * Whether steps that can be undone are never local activities, so that the history has each that was done. Absent in runs
   * that a former version has started.
   */
  records_undoable?: boolean
}

/** Returns the input of a new run. */
export const buildRunInput = (run: PathwayRunInput): PathwayRunInput =>
  arrangeRunInput({ ...run, records_undoable: true })

/**
 * Orders the fields for operators: the Temporal UI shows them in this order. What the run is about comes first, the
 * definitions last.
 */
export function arrangeRunInput(run: PathwayRunInput): PathwayRunInput {
  const { input, pathway, requester, definition, subflows, neurons, ...more } = run
  const { title, ...version } = pathway
  return { input, pathway: { title, ...version }, requester, ...more, neurons, subflows, definition }
}

/** What a run follows: the part of its input that a move to another version replaces. */
export type RunVersion = Pick<PathwayRunInput, 'pathway' | 'definition' | 'subflows' | 'neurons'>

/** A version that a run might move to. */
export type MigrationQuestion = Omit<RunVersion, 'pathway'> & ChildDecisions

/** Decisions that the run itself doesn't know. */
interface ChildDecisions {
  /** Keys of the nodes whose child runs people have decided or voted in. Absent in messages of a former version. */
  answered?: string[]
}

export interface MigrationInput extends RunVersion, ChildDecisions {
  /** The revision of the run that the move was planned for. */
  revision: number
  by: MigrationAuthor
}

/** What a move would meet. */
export interface MigrationCheck {
  /** Grows with every step and every move of the run. */
  revision: number
  /** The version that the run follows now. */
  version: number | null
  /** Empty when the run can move. */
  problems: MigrationProblem[]
  /** Nodes in which people decide again; at most 1,000. Absent in replies of a former version. */
  asked_again?: AskedAgain[]
}

export interface MigrationReply {
  job_id: string
  from_version: number | null
  to_version: number | null
  /** ISO 8601. */
  at: string
}

/** Failure type of a move that the run refuses. The details are the problems. */
export const NOT_MOVABLE = 'NOT_MOVABLE'

/** Tells whether a run could move to a version now, and why not. */
export const migrationQuery = defineQuery<MigrationCheck, [MigrationQuestion]>('migration')
/** Moves a run to another version of its pathway. Throws an ApplicationFailure of type `NOT_MOVABLE`. */
export const migrateUpdate = defineUpdate<MigrationReply, [MigrationInput]>('migrate')
export interface UndoInput extends ChildDecisions {
  by: MigrationAuthor
  /** The move that is meant. Absent in those that a former version has sent: the last one. */
  id?: string
}

/** Takes a move back. Throws an ApplicationFailure of type `NOT_MOVABLE` once the run has gone on, or moved again. */
export const undoMigrationUpdate = defineUpdate<MigrationReply, [UndoInput]>('undoMigration')
