import { isTerminal } from '../../../../domain/runs/jobs.ts'
import type { AskedAgain } from '../../../../domain/pathways/fork/types.ts'
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
  findObstacle: ({ status, kind, is_inline, pathway_version, may_write }, { options }) =>
    firstOf(
      [!may_write, NOT_PERMITTED],
      [isTerminal(status), ENDED],
      [kind !== 'pathway', `A job of the kind "${kind}" has no version that it could move to`],
      [is_inline, 'Its definition came with its request: it has no version'],
      [status === 'pending', 'It has not begun'],
      [pathway_version === options?.['to_version'], `It already follows version ${pathway_version}`],
    ),
  preview: (deps, step) => move(deps, step, true),
  apply: async (deps, step) => void (await move(deps, step, false)),
}

async function move({ jobs }: OperationDeps, step: BulkStep, dry_run: boolean): Promise<AskedAgain[]> {
  const { principal, row, bulk_job_id, reason, options = {} } = step
  const { to_version } = options as { to_version: number }
  if (row.pathway_version === to_version) return []
  return jobs.migrations.move(principal, row, { to_version, dry_run, bulk: { job_id: bulk_job_id, reason } })
}
