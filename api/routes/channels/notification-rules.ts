import * as schemas from '../../../contract/channels/notification-rule.ts'
import type { NotificationRulesService } from '../../../services/channels/notifications/rules.ts'
import { allowReaders, allowWriters } from '../../routing/access.ts'
import { page } from '../../routing/page.ts'
import { noContent, ok } from '../../routing/reply.ts'
import { defineRoute, type Route } from '../../routing/route.ts'

const tag = 'Channels'

interface Services {
  notificationRules: NotificationRulesService
}

/** Routes for the rules that say where members and groups are notified. */
export function notificationRuleRoutes({ notificationRules: rules }: Services): Route[] {
  const list = defineRoute({
    name: 'notificationRules.list',
    method: 'get',
    path: '/v1/notification-rules',
    summary: 'List notification rules',
    tag,
    access: allowReaders('interventions:read'),
    query: schemas.notificationRulesQuery,
    responses: { 200: { description: 'A page of rules', schema: schemas.notificationRulePage } },
    async handler({ principal, query }) {
      const { data, total } = await rules.list(principal, query)
      return ok(page(data, total, query))
    },
  })

  const save = defineRoute({
    name: 'notificationRules.save',
    method: 'put',
    path: '/v1/notification-rules',
    summary: 'Create or replace a notification rule',
    description:
      'A rule sends the tasks and other notifications of a member or a group to a channel. Rules of other people and of groups need the permission `access:manage`.',
    tag,
    access: allowWriters('interventions:read'),
    body: schemas.notificationRuleBody,
    responses: { 200: { description: 'The rule', schema: schemas.notificationRule } },
    handler: async ({ principal, body }) => ok(await rules.save(principal, body)),
  })

  const remove = defineRoute({
    name: 'notificationRules.delete',
    method: 'delete',
    path: '/v1/notification-rules/:subject/:channel',
    summary: 'Delete a notification rule',
    tag,
    access: allowWriters('interventions:read'),
    params: schemas.notificationRuleParams,
    responses: { 204: { description: 'Deleted' } },
    async handler({ principal, params }) {
      await rules.remove(principal, params)
      return noContent()
    },
  })

  return [list, save, remove]
}
