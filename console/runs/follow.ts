import type { EventStream, JobEvent } from '@ganglion/client'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { followWhileVisible } from '../service/follow-while-visible.ts'
import { useSignedIn } from '../service/signed-in.tsx'

/** The connection of a run's page: live, taken up again, or let go because the page is hidden. */
export type Connection = 'live' | 'reconnecting' | 'hidden' | 'ended'

/** Nodes end in bursts: the record is read again once per burst. In milliseconds. */
const BURST_MS = 400

/** Follows an open run: the texts that its nodes stream, each once, and the state of the connection. */
export function useRunStream(jobId: string, isOpen: boolean) {
  const { ganglion } = useSignedIn()
  const queryClient = useQueryClient()
  const [texts, setTexts] = useState<Record<string, string>>({})
  const [connection, setConnection] = useState<Connection>('ended')
  useEffect(() => {
    if (!isOpen) return undefined
    // All events come again, and their texts with them.
    setTexts({})
    let stream: EventStream<JobEvent> | undefined
    const batch = createBatch(setTexts, () => void queryClient.invalidateQueries({ queryKey: ['jobs', 'one', jobId] }))
    const open = async (signal: AbortSignal) => {
      const onReconnect = () => setConnection('reconnecting')
      stream = ganglion.jobs.stream(jobId, { after: stream?.lastEventId, signal, onReconnect })
      setConnection('live')
      for await (const event of stream) {
        setConnection('live')
        batch.add(event)
      }
      setConnection('ended')
    }
    const end = followWhileVisible({ open, onHidden: () => setConnection('hidden') })
    return () => {
      end()
      batch.stop()
    }
  }, [ganglion, queryClient, jobId, isOpen])
  return { texts, connection: isOpen ? connection : ('ended' as const) }
}

/** Gathers the events of a frame into one change of the page. */
function createBatch(
  setTexts: (change: (before: Record<string, string>) => Record<string, string>) => void,
  refresh: () => void,
) {
  let changes: ((texts: Record<string, string>) => void)[] = []
  let frame = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  const draw = () => {
    frame = 0
    const due = changes
    changes = []
    setTexts(before => {
      const texts = { ...before }
      for (const change of due) change(texts)
      return texts
    })
  }
  const change = (work: (texts: Record<string, string>) => void) => {
    changes.push(work)
    frame ||= requestAnimationFrame(draw)
  }
  return {
    add(event: JobEvent) {
      if (event.type === 'token') {
        const { key = '', token } = event
        change(texts => void (texts[key] = (texts[key] ?? '') + token))
      } else if (event.type === 'attempt_reset') change(texts => void delete texts[event.key])
      else if (event.type === 'gap') change(texts => Object.keys(texts).forEach(key => delete texts[key]))
      else
        timer ??= setTimeout(() => {
          timer = undefined
          refresh()
        }, BURST_MS)
    },
    stop() {
      cancelAnimationFrame(frame)
      clearTimeout(timer)
    },
  }
}
