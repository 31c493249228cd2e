import { isTerminal, type JobRecord } from '../../../../domain/jobs.ts'
import { Unavailable } from '../../../../domain/errors.ts'
import type { RunMove } from '../../migrations/types.ts'
import { type BulkOperation, type BulkStep, ENDED, firstOf, NOT_PERMITTED, type OperationDeps } from '../operation.ts'

/** Moves open runs of pathways to another version of their own pathway. */
export const migrate: BulkOperation = {
  permission: 'jobs:control',
  effect: 'write',
  statuses: ['running', 'waiting', 'paused'],
  findOptionProblems({ to_version, ...others }) {
    const unknown = Object.keys(others).map(name => ({ pointer: `/options/${name}`, message: 'is not known' }))
    if (Number.isInteger(to_version) && Number(to_version) > 0) return unknown
    return [{ pointer: '/options/to_version', message: 'must be the number of a version' }, ...unknown]
  },
  findObstacle: ({ status, kind, may_write }) =>
    firstOf(
      [!may_write, NOT_PERMITTED],
      [isTerminal(status), ENDED],
      [kind !== 'pathway', `A job of the kind "${kind}" has no version that it could move to`],
      [status === 'pending', 'It has not begun'],
    ),
  async preview(deps, step) {
    const move = await moveOne(deps, step, true)
    return move?.outcome === 'cannot_move' ? describe(move) : undefined
  },
  async apply(deps, step) {
    const move = await moveOne(deps, step, false)
    if (move?.outcome === 'unanswered') throw new Unavailable('The run did not answer in time')
  },
}

/** Returns what became of the run, or undefined where it has the version already. Throws Conflict if it cannot move. */
async function moveOne({ jobs }: OperationDeps, step: BulkStep, dry_run: boolean): Promise<RunMove | undefined> {
  const { principal, row, options = {} } = step
  const { to_version } = options as { to_version: number }
  if (row.pathway_version === to_version) return undefined
  const report = await jobs.migrations.migrate(principal, { ...describeVersion(row), to_version, dry_run })
  return report.runs[0]
}

function describeVersion({ job_id, pathway_id, pathway_version }: JobRecord) {
  return { pathway: pathway_id ?? '', from_version: pathway_version ?? 0, filter: { job_ids: [job_id] } }
}

const describe = ({ problems = [] }: RunMove): string =>
  problems.map(({ pointer, message }) => (pointer === '' ? message : `${pointer} ${message}`)).join('; ')
