import { isTerminal } from '../../../../domain/runs/jobs.ts'
import type { AskedAgain } from '../../../../domain/pathways/fork/types.ts'
import { type BulkOperation, type BulkStep, ENDED, firstOf, NOT_PERMITTED, type OperationDeps } from '../operation.ts'

/** Moves open pathway runs to another version of their own pathway. */
export const migrate: BulkOperation = {
  permission: 'jobs:control',
  effect: 'write',
  statuses: ['running', 'waiting', 'paused'],
  findOptionProblems({ to_version, ...others }) {
    const unknown = Object.keys(others).map(name => ({ pointer: `/options/${name}`, message: 'is not a known option' }))
    if (Number.isInteger(to_version) && Number(to_version) > 0) return unknown
    return [{ pointer: '/options/to_version', message: 'must be a version number' }, ...unknown]
  },
  findObstacle: ({ status, kind, is_inline, pathway_version, may_write }, { options }) =>
    firstOf(
      [!may_write, NOT_PERMITTED],
      [isTerminal(status), ENDED],
      [kind !== 'pathway', `A job of kind "${kind}" has no version to migrate`],
      [is_inline, 'The run has no version: its definition was sent inline'],
      [status === 'pending', 'The run has not started'],
      [pathway_version === options?.['to_version'], `The run is already on version ${pathway_version}`],
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
