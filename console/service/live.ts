import type { WorkspaceEvent } from '@ganglion/client'
import { useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { followWhileVisible } from './follow-while-visible.ts'
import { useSignedIn } from './signed-in.tsx'

/** Queries begin with one of these names, so that an event of the workspace makes them read again. */
const STALE: Record<string, string[]> = {
  intervention: ['interventions', 'overview'],
  job: ['jobs', 'overview', 'traces'],
  resource: ['resources'],
  trigger: ['triggers'],
}

/** Events come in bursts: what they concern is read again once per burst. In milliseconds. */
const BURST_MS = 300

/**
 * Reads again what an event of the workspace concerns. A page that is shown again reads everything that it shows.
 */
export function useLiveUpdates(): void {
  const { ganglion } = useSignedIn()
  const queryClient = useQueryClient()
  useEffect(
    () =>
      followWhileVisible({
        open: (signal, isShownAgain) => {
          if (isShownAgain) void queryClient.invalidateQueries()
          return readEvents(ganglion.events.stream(undefined, { signal }), queryClient)
        },
      }),
    [ganglion, queryClient],
  )
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
