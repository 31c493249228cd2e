import type { EventStream, JobEvent } from '@ganglion/client'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { followWhileVisible } from '../shared/service/follow-while-visible.ts'
import { useSignedIn } from '../shared/service/signed-in.tsx'

/** Connection state of a run page: live, reconnecting, or closed because the page is hidden. */
export type Connection = 'live' | 'reconnecting' | 'hidden' | 'ended'

/** Nodes often end in bursts, so the run is reloaded once per burst. In milliseconds. */
const BURST_MS = 400

/** Follows an open run: returns the text streamed by its nodes, without duplicates, and the connection state. */
export function useRunStream(jobId: string, isOpen: boolean) {
  const { ganglion } = useSignedIn()
  const queryClient = useQueryClient()
  const [texts, setTexts] = useState<Record<string, string>>({})
  const [connection, setConnection] = useState<Connection>('ended')
  useEffect(() => {
    if (!isOpen) return undefined
    // A new connection replays all events, including their text.
    let textByKey: Record<string, string> = {}
    setTexts(textByKey)
    let frame = 0
    let timer: ReturnType<typeof setTimeout> | undefined
    const draw = () => {
      frame = 0
      setTexts({ ...textByKey })
    }
    const refresh = () => {
      timer = undefined
      void queryClient.invalidateQueries({ queryKey: ['jobs', 'one', jobId] })
    }
    const take = (event: JobEvent) => {
      if (event.type === 'token') textByKey[event.key ?? ''] = (textByKey[event.key ?? ''] ?? '') + event.token
      else if (event.type === 'attempt_reset') delete textByKey[event.key]
      else if (event.type === 'gap') textByKey = {}
      else {
        timer ??= setTimeout(refresh, BURST_MS)
        return
      }
      // All text that arrives within one frame causes a single render.
      frame ||= requestAnimationFrame(draw)
    }
    let stream: EventStream<JobEvent> | undefined
    const open = async (signal: AbortSignal) => {
      const onReconnect = () => setConnection('reconnecting')
      stream = ganglion.jobs.stream(jobId, { after: stream?.lastEventId, signal, onReconnect })
      setConnection('live')
      for await (const event of stream) {
        setConnection('live')
        take(event)
      }
      setConnection('ended')
    }
    const end = followWhileVisible({ open, onHidden: () => setConnection('hidden') })
    return () => {
      end()
      cancelAnimationFrame(frame)
      clearTimeout(timer)
    }
  }, [ganglion, queryClient, jobId, isOpen])
  return { texts, connection: isOpen ? connection : ('ended' as const) }
}
