import * as schemas from '../../../contract/audit/activity.ts'
import type { ActivityService } from '../../../services/audit/activity.ts'
import { allowReaders } from '../../routing/access.ts'
import { page } from '../../routing/page.ts'
import { ok } from '../../routing/reply.ts'
import { defineRoute } from '../../routing/route.ts'
import type { Route } from '../../routing/route.ts'

/** The audit log: every change, with who made it. */
export function activityRoutes({ activity }: { activity: ActivityService }): Route[] {
  const list = defineRoute({
    name: 'activity.list',
    method: 'get',
    path: '/v1/activity',
    summary: 'List recorded changes, newest first',
    description:
      'The audit log of the workspace. A request that names a brain gets the changes in it and those of the workspace itself. An API key that is bound to brains gets the changes in its brains, and of those of the workspace only its own.',
    tag: 'Service',
    access: allowReaders('activity:read'),
    query: schemas.activityQuery,
    responses: { 200: { description: 'A page of changes', schema: schemas.activityPage } },
    async handler({ principal, query }) {
      const { data, total } = await activity.list(principal, query)
      return ok(page(data, total, query))
    },
  })

  return [list]
}
