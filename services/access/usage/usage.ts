import { sumUsage } from '../../../data/access/usage-store.ts'
import { ValidationError } from '../../../domain/shared/errors.ts'
import type { Principal } from '../../../domain/access/principal.ts'
import type { UsageReport, UsageRequest } from '../../../contract/access/usage.ts'
import type { Estimates } from '../../../contract/shared/estimates.ts'
import { visibleBrains } from '../brains.ts'
import { createEstimates } from './estimates.ts'

export interface UsageService {
  /** Sums the workspace's calls, tokens, audio seconds and USD. Throws ValidationError. */
  report(principal: Principal, request: UsageRequest): Promise<UsageReport>
  /** Estimates the cost of calls in the workspace. */
  estimate(principal: Principal): Promise<Estimates>
}

export function createUsage(deps: Parameters<typeof createEstimates>[0]): UsageService {
  const { db } = deps
  return {
    estimate: createEstimates(deps),
    async report(principal, { group_by, limit, offset, ...range }) {
      const now = new Date()
      const from = range.from ?? new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1)).toISOString()
      const to = range.to ?? now.toISOString()
      if (Date.parse(from) > Date.parse(to))
        throw new ValidationError('The end of the period must be after its start', [
          { pointer: '/to', message: 'must not be before from' },
        ])
      const query = { from, to, group_by, brain_ids: visibleBrains(principal), limit, offset }
      const { rows, groups, total } = await db.inWorkspace(principal.workspace_id, tx => sumUsage(tx, query))
      return { from, to, group_by, data: rows, total, groups }
    },
  }
}
