import * as schemas from '../../../contract/channels/notification.ts'
import type { NotificationsService } from '../../../services/channels/notifications/notifications.ts'
import { allowSessions } from '../../routing/access.ts'
import { page } from '../../routing/page.ts'
import { noContent, ok } from '../../routing/reply.ts'
import { defineRoute, type Route } from '../../routing/route.ts'

const tag = 'Channels'
/** A key can be bound to brains, but notifications are about all brains of the person. */
const access = allowSessions('interventions:read')

/** Routes for the caller's notifications. */
export function notificationRoutes({ notifications }: { notifications: NotificationsService }): Route[] {
  const list = defineRoute({
    name: 'notifications.list',
    method: 'get',
    path: '/v1/notifications',
    summary: 'List your notifications, latest first',
    tag,
    access,
    query: schemas.notificationsQuery,
    responses: { 200: { description: 'A page of notifications', schema: schemas.notificationPage } },
    async handler({ principal, query }) {
      const { data, total } = await notifications.list(principal, { ...query, isUnread: query.unread })
      return ok(page(data, total, query))
    },
  })

  const markRead = defineRoute({
    name: 'notifications.markRead',
    method: 'post',
    path: '/v1/notifications/read',
    summary: 'Mark your notifications as read',
    tag,
    access,
    body: schemas.markReadBody,
    responses: { 204: { description: 'Marked as read' } },
    async handler({ principal, body }) {
      await notifications.markRead(principal, body.ids)
      return noContent()
    },
  })

  return [list, markRead]
}
