import { usageQuery, usageReport } from '../../../contract/access/usage.ts'
import type { PlansService } from '../../../services/access/plans.ts'
import type { UsageService } from '../../../services/access/usage/usage.ts'
import { allowReaders } from '../../routing/access.ts'
import { page } from '../../routing/page.ts'
import { ok } from '../../routing/reply.ts'
import { defineRoute } from '../../routing/route.ts'
import type { Route } from '../../routing/route.ts'

/** Routes for usage: the ledger of model calls, embeddings and transcriptions. */
export function usageRoutes({ usage, plans }: { usage: UsageService; plans: Pick<PlansService, 'report'> }): Route[] {
  const read = defineRoute({
    name: 'usage.get',
    method: 'get',
    path: '/v1/usage',
    summary: 'Aggregate usage',
    tag: 'Service',
    access: allowReaders('usage:read'),
    query: usageQuery,
    responses: { 200: { description: 'Aggregated usage', schema: usageReport } },
    async handler({ principal, query }) {
      const [{ groups, ...totals }, plan] = await Promise.all([usage.report(principal, query), plans.report(principal)])
      return ok({ ...totals, plan, pagination: page(totals.data, groups, query).pagination })
    },
  })

  return [read]
}
