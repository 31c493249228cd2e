import { useSignedIn } from '../shared/service/signed-in.tsx'
import { useRead } from '../shared/service/use-service.ts'

/** Refresh interval in milliseconds, because notifications are written shortly after their event. */
export const REFRESH_MS = 10_000

/** Loads the number of the person's unread notifications. */
export function useUnread(): number {
  const { can } = useSignedIn()
  const { data } = useRead(
    ['notifications', 'unread'],
    ({ notifications }) => notifications.list({ unread: 'true', limit: 1 }),
    { enabled: can('interventions:read'), refetchInterval: REFRESH_MS },
  )
  return data?.total ?? 0
}
