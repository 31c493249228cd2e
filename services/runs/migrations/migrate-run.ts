import { isDeepStrictEqual } from 'node:util'
import { QueryNotRegisteredError, WorkflowNotFoundError } from '@temporalio/client'
import type { Database } from '../../../data/shared/database.ts'
import { listAnsweredChildren } from '../../../data/people/interventions-store.ts'
import { findJob, type JobSummary, type JobRecord } from '../../../data/runs/jobs-store.ts'
import { filterRights } from '../../../domain/access/rights.ts'
import { AppError, isTransient } from '../../../domain/shared/errors.ts'
import { union } from '../../../domain/people/handling.ts'
import { isTerminal } from '../../../domain/runs/jobs.ts'
import type { MigrationProblem } from '../../../domain/pathways/migration/types.ts'
import type { Principal } from '../../../domain/access/principal.ts'
import type { MigrationAuthor } from '../../../domain/runs/run-records.ts'
import {
  type MigrationCheck,
  type MigrationInput,
  migrateUpdate,
  migrationQuery,
  NOT_MOVABLE,
  type RunVersion,
} from '../../../workflows/pathways/messages.ts'
import { INVALID_INPUT } from '../../../workflows/shared/run/messages.ts'
import { canWriteBrain } from '../../access/brains.ts'
import type { Evaluator } from '../../pathways/evaluation/evaluator.ts'
import type { Temporal } from '../../shared/temporal.ts'
import { listNewAuthors, getFollowedPathway, pinFollowed } from '../followed.ts'
import { buildAnswerer } from '../../people/intervention-answers.ts'
import { findUpdateFailure, sendUpdate } from '../run-messages.ts'
import type { MigrationTarget } from './target.ts'
import type { MoveOutcome, RunMove } from '../../../contract/runs/migration.ts'
import type { MigrationRequest } from './migrations.ts'
import { listDecisionsBefore } from '../../../domain/pathways/decisions/covers.ts'
import { compileGraph } from '../../../domain/pathways/graph.ts'

interface Deps {
  db: Database
  temporal: Temporal
  evaluator: Evaluator
}

/** The options for migrating one run. */
type Move = Pick<MigrationRequest, 'dry_run' | 'revisions' | 'from_version'> & {
  target: MigrationTarget
  bulk?: MigrationAuthor['bulk']
}

type RunMoveResult = { outcome: MoveOutcome } & Pick<RunMove, 'revision' | 'problems' | 'asked_again'>

const unanswered = (message: string): RunMoveResult => ({ outcome: 'unanswered', problems: [{ pointer: '', message }] })

/**
 * Returns a function that migrates one run or checks whether the run can migrate. The function is atomic, and
 * repeating it has no further effect.
 */
export function createMigrateRun({ db, temporal, evaluator }: Deps) {
  async function findOutcome(principal: Principal, row: JobSummary, move: Move): Promise<RunMoveResult> {
    const problem = findRowProblem(principal, row, move)
    if (problem !== undefined) return refuseMove([{ pointer: '', message: problem }])
    const target = await move.target.pin(row.brain_id)
    if ('problems' in target) return refuseMove(inDefinition(target.problems))
    const inputProblems = await findInputProblems(row, target.version)
    if (inputProblems.length > 0) return refuseMove(inputProblems)
    const parent = await findParentProblem(db, principal, row)
    if (parent !== undefined) return refuseMove([{ pointer: '', message: parent }])
    const answeredKeys = await db.inWorkspace(row.workspace_id, tx => listAnsweredChildren(tx, row.job_id))
    const check = await checkRun(row.job_id, target.version, answeredKeys)
    const { revision, asked_again = [] } = check
    // A migration is recorded after it takes effect.
    if (!move.dry_run && check.version === target.version.pathway.version)
      return unanswered('the run is already on this version, and its migration is being recorded')
    if (check.version !== move.from_version)
      return refuseMove(
        [{ pointer: '', message: `the run is on version ${check.version}, not ${move.from_version}` }],
        revision,
      )
    const expected = move.revisions?.[row.job_id] ?? revision
    if (expected !== revision)
      return refuseMove([{ pointer: '', message: 'the run has progressed since the preview' }], revision)
    if (check.problems.length > 0) return refuseMove(inDefinition(check.problems), revision)
    if (move.dry_run) return { outcome: 'can_move', revision, asked_again }
    return {
      ...(await send(principal, row, { ...target.version, revision, answered: answeredKeys }, move.bulk)),
      asked_again,
    }
  }

  /** Checks that the new version accepts the run's input and would not add defaults to it. */
  async function findInputProblems({ workspace_id, job_id, requester }: JobSummary, { definition }: RunVersion) {
    const { input: schema } = definition
    if (!schema) return []
    const row = await db.inWorkspaceAtOnce(workspace_id, tx => findJob(tx, job_id))
    const input = row?.input ?? {}
    const run = { id: job_id, requester }
    const start = await evaluator.evaluate(workspace_id, 'prepareRun', { input: schema }, input, run, '')
    if (start.problems.length > 0 || isDeepStrictEqual(start.input, input))
      return start.problems.map(({ pointer, message }) => ({
        pointer: '/definition/input',
        message: `must accept the run's input: ${pointer || '/'} ${message}`,
      }))
    return [{ pointer: '/definition/input', message: 'must not add defaults: the run started without them' }]
  }

  const checkRun = (
    jobId: string,
    { definition, subflows, neurons }: RunVersion,
    answeredKeys: string[],
  ): Promise<MigrationCheck> =>
    temporal.call(() =>
      temporal.handle(jobId).query(migrationQuery, { definition, subflows, neurons, answered: answeredKeys }),
    )

  /** The same migration at the same revision has the same id, so a repeated request waits for the first one. */
  async function send(
    principal: Principal,
    row: JobSummary,
    version: Omit<MigrationInput, 'by'>,
    bulk: MigrationAuthor['bulk'],
  ): Promise<RunMoveResult> {
    const { revision, pathway } = version
    const authors = await db.inWorkspace(row.workspace_id, tx => listNewAuthors(tx, row, getFollowedPathway(version)))
    const by = buildMigrationAuthor(principal, db.requestId())
    const input = { ...version, by: { ...by, people: union(by.people, authors), bulk } }
    const id = `to version ${pathway.version} at revision ${revision}`
    await sendUpdate(temporal, row.job_id, migrateUpdate, input, id)
    return { outcome: 'moved', revision: revision + 1 }
  }

  return async (principal: Principal, row: JobSummary, move: Move): Promise<RunMove> => {
    const { job_id, title, status } = row
    const result = await findOutcome(principal, row, move).catch(describeMoveError)
    return { job_id, title, status, ...result }
  }
}

/** Returns the reason why a run cannot migrate, based on its row. */
function findRowProblem(principal: Principal, row: JobSummary, { target, from_version }: Move): string | undefined {
  const problem = findVersionProblem(row, target, from_version)
  if (problem !== undefined) return problem
  if (row.status === 'pending') return 'the run has not started'
  return canWriteBrain(principal, row.brain_id) ? undefined : "the key may not write to the run's brain"
}

/** Returns the reason why a job is not an open run of the pathway version. */
export function findVersionProblem(row: JobSummary, { pathway }: MigrationTarget, version: number): string | undefined {
  if (isTerminal(row.status)) return 'the run has ended'
  if (row.kind !== 'pathway' || row.pathway_id !== pathway.id) return 'the job is not a run of this pathway'
  return row.pathway_version === version ? undefined : `the run is on version ${row.pathway_version}, not ${version}`
}

const refuseMove = (problems: MigrationProblem[], revision?: number): RunMoveResult => ({
  outcome: 'cannot_move',
  ...(revision !== undefined && { revision }),
  problems,
})

/** Converts pointers into the definition to pointers into the pathway. Pointers to the run itself are unchanged. */
const inDefinition = (problems: MigrationProblem[]): MigrationProblem[] =>
  problems.map(problem => (problem.pointer === '' ? problem : { ...problem, pointer: `/definition${problem.pointer}` }))

/** Converts the error with which a run rejects a migration to a result. Rethrows other errors. */
function describeMoveError(error: unknown): RunMoveResult {
  if (isTransient(error)) return unanswered('the run did not respond in time')
  if (error instanceof QueryNotRegisteredError)
    return refuseMove([{ pointer: '', message: 'the run cannot respond in its current state: see its diagnosis' }])
  if (error instanceof WorkflowNotFoundError) return refuseMove([{ pointer: '', message: 'the run has ended' }])
  const refusal = findUpdateFailure(error)
  if (refusal?.type === NOT_MOVABLE) return refuseMove(inDefinition((refusal.details ?? []) as MigrationProblem[]))
  if (refusal?.type === INVALID_INPUT) return refuseMove([{ pointer: '', message: refusal.message }])
  // Migrate the page's other runs despite this error.
  if (error instanceof AppError) return refuseMove(error.details ?? [{ pointer: '', message: error.message }])
  throw error
}

export function buildMigrationAuthor(principal: Principal, requestId: string | undefined): MigrationAuthor {
  const { actor, person, people, via } = buildAnswerer(principal, [], requestId)
  return { actor, person, people, via, rights: filterRights(principal.permissions) }
}

/**
 * Returns the reason why a child run may not migrate, or undefined if it may. The reason is that people decided about
 * the child's current version: an ancestor run asked them before it started the child.
 */
async function findParentProblem(
  db: Database,
  principal: Principal,
  { parent_job_id, parent_key, workspace_id }: Pick<JobSummary, 'parent_job_id' | 'parent_key' | 'workspace_id'>,
): Promise<string | undefined> {
  if (parent_job_id === null || parent_key === null) return undefined
  const parentRun = await db.inWorkspace(workspace_id, async tx => {
    const parent = await findJob(tx, parent_job_id)
    return parent?.kind === 'pathway' ? { parent, followed: await pinFollowed(tx, principal, parent) } : undefined
  })
  if (!parentRun) return undefined
  const { parent, followed: parentPathway } = parentRun
  const [decision] = listDecisionsBefore(
    compileGraph(parentPathway.pathway.definition, { pins: parentPathway.pins }),
    parent_key,
  )
  return decision === undefined ? findParentProblem(db, principal, parent) : describeProblem(parent, decision)
}

const describeProblem = ({ job_id, root_job_id }: JobRecord, decision: string): string =>
  `people decided at ${decision} of ${job_id} about this version of the child run, which has started: fork ${root_job_id} to ask them again`
