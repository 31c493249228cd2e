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

/** How one run is moved. */
type Move = Pick<MigrationRequest, 'dry_run' | 'revisions' | 'from_version'> & {
  target: MigrationTarget
  bulk?: MigrationAuthor['bulk']
}

type RunMoveResult = { outcome: MoveOutcome } & Pick<RunMove, 'revision' | 'problems' | 'asked_again'>

const unanswered = (message: string): RunMoveResult => ({ outcome: 'unanswered', problems: [{ pointer: '', message }] })

/** Returns a function that moves one run, or tells whether it can move. It is atomic, and a repeat moves nothing twice. */
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
    // A move is recorded after it was made.
    if (!move.dry_run && check.version === target.version.pathway.version)
      return unanswered('the run follows the version already, and its move is being recorded')
    if (check.version !== move.from_version)
      return refuseMove([{ pointer: '', message: `the run follows version ${check.version}` }], revision)
    const expected = move.revisions?.[row.job_id] ?? revision
    if (expected !== revision)
      return refuseMove([{ pointer: '', message: 'the run has moved on since then' }], revision)
    if (check.problems.length > 0) return refuseMove(inDefinition(check.problems), revision)
    if (move.dry_run) return { outcome: 'can_move', revision, asked_again }
    return {
      ...(await send(principal, row, { ...target.version, revision, answered: answeredKeys }, move.bulk)),
      asked_again,
    }
  }

  /** The input must be one of the new version, with all that it would fill in. */
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
        message: `must accept the input of the run: ${pointer || '/'} ${message}`,
      }))
    return [{ pointer: '/definition/input', message: 'must not fill in defaults: the run began without them' }]
  }

  const checkRun = (
    jobId: string,
    { definition, subflows, neurons }: RunVersion,
    answeredKeys: string[],
  ): Promise<MigrationCheck> =>
    temporal.call(() =>
      temporal.handle(jobId).query(migrationQuery, { definition, subflows, neurons, answered: answeredKeys }),
    )

  /** The same move of the same revision has the same id: a repeat waits for the first one. */
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

/** Says what of its row keeps a run from moving. */
function findRowProblem(principal: Principal, row: JobSummary, { target, from_version }: Move): string | undefined {
  const problem = findVersionProblem(row, target, from_version)
  if (problem !== undefined) return problem
  if (row.status === 'pending') return 'the run has not begun'
  return canWriteBrain(principal, row.brain_id) ? undefined : 'the key may not write to the brain of the run'
}

/** Says why a job is not an open run of a version of the pathway. */
export function findVersionProblem(row: JobSummary, { pathway }: MigrationTarget, version: number): string | undefined {
  if (isTerminal(row.status)) return 'the run has ended'
  if (row.kind !== 'pathway' || row.pathway_id !== pathway.id) return 'the job is not a run of the pathway'
  return row.pathway_version === version ? undefined : `the run follows version ${row.pathway_version}`
}

const refuseMove = (problems: MigrationProblem[], revision?: number): RunMoveResult => ({
  outcome: 'cannot_move',
  ...(revision !== undefined && { revision }),
  problems,
})

/** Pointers into the definition, as pointers into the pathway. Those of the run itself stay. */
const inDefinition = (problems: MigrationProblem[]): MigrationProblem[] =>
  problems.map(problem => (problem.pointer === '' ? problem : { ...problem, pointer: `/definition${problem.pointer}` }))

/** Converts what a run answers to what became of it. Other errors are thrown. */
function describeMoveError(error: unknown): RunMoveResult {
  if (isTransient(error)) return unanswered('the run did not answer in time')
  if (error instanceof QueryNotRegisteredError)
    return refuseMove([{ pointer: '', message: 'the run cannot be asked as it is: its diagnosis says why' }])
  if (error instanceof WorkflowNotFoundError) return refuseMove([{ pointer: '', message: 'the run has ended' }])
  const refusal = findUpdateFailure(error)
  if (refusal?.type === NOT_MOVABLE) return refuseMove(inDefinition((refusal.details ?? []) as MigrationProblem[]))
  if (refusal?.type === INVALID_INPUT) return refuseMove([{ pointer: '', message: refusal.message }])
  // The others of the page are moved all the same.
  if (error instanceof AppError) return refuseMove(error.details ?? [{ pointer: '', message: error.message }])
  throw error
}

export function buildMigrationAuthor(principal: Principal, requestId: string | undefined): MigrationAuthor {
  const { actor, person, people, via } = buildAnswerer(principal, [], requestId)
  return { actor, person, people, via, rights: filterRights(principal.permissions) }
}

/**
 * Says why a child run may not follow another version: a run above it has asked people before it started the child, and they
 * decided about the version that the child has. Undefined if it may.
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
  `people decided at ${decision} of ${job_id} about the version of this child run, which has begun: fork ${root_job_id} to ask them again`
