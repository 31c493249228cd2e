import type { Item } from '@ganglion/client'
import { Link } from '@tanstack/react-router'
import { ChangeButton } from '../shared/parts/buttons.tsx'
import { RunLink, TaskLink, When } from '../shared/parts/inline.tsx'
import { Page } from '../shared/parts/page.tsx'
import { ReadList } from '../shared/parts/read.tsx'
import { useChange, useReadPages } from '../shared/service/use-service.ts'
import { REFRESH_MS } from './unread.ts'

type Notification = Item<'notifications.list'>

/** The person's notifications, latest first. */
export function Notifications() {
  const notifications = useReadPages(['notifications', 'list'], (ganglion, page) => ganglion.notifications.list(page), {
    refetchInterval: REFRESH_MS,
  })
  const markRead = useChange('notifications', ({ notifications }, id: string) => notifications.markRead({ ids: [id] }))
  return (
    <Page title="Notifications">
      <div className="settings-row">
        <ChangeButton name="notifications" send={({ notifications }) => notifications.markRead({})}>
          Mark all as read
        </ChangeButton>
        <Link to="/settings" search={{ part: 'notifications' }}>
          Notification settings
        </Link>
      </div>
      <ReadList
        query={notifications}
        empty={['No notifications', 'New tasks, failed runs and triggers that need attention appear here.']}
        className="plain-list"
        keyOf={({ id }) => id}
      >
        {notification => (
          // A click on the link inside marks the notification as read.
          // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions
          <div className="item-note" onClick={() => !notification.read_at && markRead.mutate(notification.id)}>
            {!notification.read_at && <strong>New</strong>} <SubjectLink notification={notification} />{' '}
            <When time={notification.created_at} />
            {notification.reason !== null && <span>{notification.reason}</span>}
          </div>
        )}
      </ReadList>
    </Page>
  )
}

function SubjectLink({ notification: { title, intervention_id, job_id, trigger_id } }: { notification: Notification }) {
  if (intervention_id !== null) return <TaskLink id={intervention_id}>{title}</TaskLink>
  if (job_id !== null) return <RunLink jobId={job_id}>{title}</RunLink>
  return (
    <Link to="/automations" search={{ trigger: trigger_id ?? undefined }} className="table-link">
      {title}
    </Link>
  )
}
