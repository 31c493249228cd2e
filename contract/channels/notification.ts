import { z } from 'zod'
import { NOTIFIED_EVENTS } from '../../domain/channels/notification.ts'
import { pageSchema } from '../shared/page.ts'
import { flag, pageQuery } from '../shared/query.ts'
import { timestamp } from '../shared/time.ts'

const MAX_IDS = 200

export const notificationsQuery = pageQuery.extend({
  unread: flag.prefault('false').meta({ description: 'Whether to list only unread notifications' }),
})

export const notification = z
  .object({
    id: z.uuid(),
    type: z.enum(NOTIFIED_EVENTS).meta({ description: 'The event' }),
    title: z.string(),
    reason: z.string().nullable().meta({ description: 'Why the run failed or the trigger is not healthy' }),
    intervention_id: z.string().nullable(),
    job_id: z.string().nullable(),
    trigger_id: z.uuid().nullable(),
    created_at: timestamp,
    read_at: timestamp.nullable(),
  })
  .meta({ id: 'Notification' })
export type NotificationView = z.output<typeof notification>

export const notificationPage = pageSchema(notification)

export const markReadBody = z.strictObject({
  ids: z.array(z.uuid()).min(1).max(MAX_IDS).optional().meta({ description: 'Default: all notifications' }),
})
