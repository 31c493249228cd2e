import * as schemas from '../../../contract/audit/activity.ts'
import type { ActivityService } from '../../../services/audit/activity.ts'
import { allowReaders } from '../../routing/access.ts'
import { page } from '../../routing/page.ts'
import { ok } from '../../routing/reply.ts'
import { defineRoute } from '../../routing/route.ts'
import type { Route } from '../../routing/route.ts'

/** Routes for the audit log, which records every change and its actor. */
export function activityRoutes({ activity }: { activity: ActivityService }): Route[] {
  const list = defineRoute({
    name: 'activity.list',
    method: 'get',
    path: '/v1/activity',
    summary: 'List changes, newest first',
    description:
      "Returns the workspace's audit log. A request that names a brain gets only the changes in that brain and the changes to the workspace itself. An API key that is bound to brains gets the changes in its brains. Of the changes to the workspace, it gets only those that it made itself.",
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
