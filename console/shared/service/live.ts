import type { EventStream, WorkspaceEvent } from '@ganglion/client'
import { useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { followWhileVisible } from './follow-while-visible.ts'
import { useSignedIn } from './signed-in.tsx'

/** Query key names by event subject, or by event type. An event reloads the queries whose key starts with one of these names. */
const STALE: Record<string, string[]> = {
  intervention: ['interventions', 'notifications', 'overview'],
  job: ['jobs', 'overview', 'traces'],
  'job.failed': ['jobs', 'notifications', 'overview', 'traces'],
  resource: ['resources'],
  trigger: ['triggers', 'notifications'],
}

/** Events often come in bursts, so affected queries are reloaded once per burst. In milliseconds. */
const BURST_MS = 300

/**
 * Reloads queries affected by workspace events, starting with events after the session was loaded and before the
 * first query. When the page becomes visible again, continues after the last received event.
 */
export function useLiveUpdates(): void {
  const { ganglion, events_position } = useSignedIn()
  const queryClient = useQueryClient()
  const stream = useRef<EventStream<WorkspaceEvent>>(undefined)
  useEffect(
    () =>
      followWhileVisible({
        open(signal) {
          const after = stream.current?.lastEventId ?? events_position ?? undefined
          stream.current = ganglion.events.stream(undefined, { after, signal })
          return readEvents(stream.current, queryClient)
        },
      }),
    [ganglion, queryClient, events_position],
  )
}

async function readEvents(stream: AsyncIterable<WorkspaceEvent>, queryClient: QueryClient): Promise<void> {
  const concerned = new Set<string>()
  let timer: ReturnType<typeof setTimeout> | undefined
  const refresh = () => {
    clearTimeout(timer)
    timer = undefined
    for (const name of concerned) void queryClient.invalidateQueries({ queryKey: [name] })
    concerned.clear()
  }
  try {
    for await (const { type } of stream) {
      if (type === 'gap') void queryClient.invalidateQueries()
      for (const name of STALE[type] ?? STALE[type.split('.')[0] ?? ''] ?? []) concerned.add(name)
      if (concerned.size > 0) timer ??= setTimeout(refresh, BURST_MS)
    }
  } finally {
    // A new connection doesn't receive these events again.
    refresh()
  }
}
