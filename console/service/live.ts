import type { WorkspaceEvent } from '@ganglion/client'
import { useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useSignedIn } from './signed-in.tsx'

/** Queries begin with one of these names, so that an event of the workspace makes them read again. */
const STALE: Record<string, string[]> = {
  intervention: ['interventions', 'overview'],
  job: ['jobs', 'overview'],
  resource: ['resources'],
  trigger: ['triggers'],
}

/** Events come in bursts: what they concern is read again once per burst. In milliseconds. */
const BURST_MS = 300

/**
 * Reads again what an event of the workspace concerns. Only a visible page holds the connection, because a browser has six
 * for a service without HTTP/2; a page that is shown again reads everything that it shows.
 */
export function useLiveUpdates(): void {
  const { ganglion } = useSignedIn()
  const queryClient = useQueryClient()
  useEffect(() => {
    let connection: AbortController | undefined
    const follow = () => {
      connection?.abort()
      connection = undefined
      if (document.hidden) return
      connection = new AbortController()
      void readEvents(ganglion.events.stream(undefined, { signal: connection.signal }), queryClient)
    }
    const show = () => {
      follow()
      if (!document.hidden) void queryClient.invalidateQueries()
    }
    follow()
    document.addEventListener('visibilitychange', show)
    return () => {
      document.removeEventListener('visibilitychange', show)
      connection?.abort()
    }
  }, [ganglion, queryClient])
}

async function readEvents(stream: AsyncIterable<WorkspaceEvent>, queryClient: QueryClient): Promise<void> {
  const concerned = new Set<string>()
  let timer: ReturnType<typeof setTimeout> | undefined
  const refresh = () => {
    timer = undefined
    for (const name of concerned) void queryClient.invalidateQueries({ queryKey: [name] })
    concerned.clear()
  }
  try {
    for await (const { type } of stream) {
      if (type === 'gap') void queryClient.invalidateQueries()
      for (const name of STALE[type.split('.')[0] ?? ''] ?? []) concerned.add(name)
      if (concerned.size > 0) timer ??= setTimeout(refresh, BURST_MS)
    }
  } catch {
    // The page was hidden or left, or the session has ended, which the next query finds out.
  } finally {
    clearTimeout(timer)
  }
}
