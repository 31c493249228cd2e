import { listNotifications, markRead, type Notification } from '../../../data/channels/notifications-store.ts'
import type { Database } from '../../../data/shared/database.ts'
import type { NotificationView } from '../../../contract/channels/notification.ts'
import type { PageQuery } from '../../../contract/shared/query.ts'
import type { Principal } from '../../../domain/access/principal.ts'
import { describeNotification } from './notices.ts'

/** The caller's notifications. */
export interface NotificationsService {
  /** Lists notifications, latest first. */
  list(
    principal: Principal,
    filter: PageQuery & { isUnread: boolean },
  ): Promise<{ data: NotificationView[]; total: number }>
  /** Marks the notifications with these ids as read, or all. */
  markRead(principal: Principal, ids?: string[]): Promise<void>
}

export const createNotifications = ({ db }: { db: Database }): NotificationsService => ({
  async list({ workspace_id, actor }, filter) {
    const { rows, total } = await db.inWorkspace(workspace_id, tx =>
      listNotifications(tx, { recipient: actor, ...filter }),
    )
    return { data: rows.map(present), total }
  },

  markRead: ({ workspace_id, actor }, ids) => db.inWorkspace(workspace_id, tx => markRead(tx, actor, ids)),
})

const present = (notification: Notification): NotificationView => ({
  ...notification,
  title: describeNotification(notification).title,
})
