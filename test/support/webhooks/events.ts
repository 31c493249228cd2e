import { setTimeout as sleep } from 'node:timers/promises'
import { type ApiClient, Refusal } from '../clients/client.ts'
import { PATIENCE_MS } from '../stack/process.ts'

/** An event in a workspace's stream, with its stream id. */
export interface StreamedEvent {
  streamId: string
  type: string
  id?: string
  resource?: { id: string; type: string; slug: string; version: number; path: string; brain_id: string | null }
  job?: { id: string; kind: string; status: string; brain_id?: string }
  intervention?: { id: string; job_id: string; status: string }
  webhook?: { id: string; reason: string }
}

/** A client that follows its workspace's stream. */
export interface EventReader {
  /** All events so far, in order of arrival. */
  events: StreamedEvent[]
  /** Resolves with the events so far once one of them matches. */
  until(fits: (event: StreamedEvent) => boolean): Promise<StreamedEvent[]>
  /** True once the server has ended the stream. */
  hasEnded(): boolean
  close(): void
}

const RETRY_MS = 2_000

/** Opens the stream. Without `after`, resolves once the position has arrived, so that every later event is received. */
export async function followEvents(client: ApiClient, query: Record<string, string> = {}): Promise<EventReader> {
  const closing = new AbortController()
  const path = `/v1/events/stream?${new URLSearchParams(query).toString()}`
  const open = () => client.sse<{ type: string }>(path, { signal: closing.signal })
  // A process that has just started may have no free connections yet, and reports this.
  const messages = await open().catch(async (error: unknown) => {
    if (!(error instanceof Refusal) || error.answer.status !== 503) throw error
    await sleep(RETRY_MS)
    return open()
  })
  const events: StreamedEvent[] = []
  let hasEnded = false
  const reading = (async () => {
    for await (const { id, data } of messages) if (data) events.push({ ...data, streamId: id })
    hasEnded = true
  })()
  reading.catch(() => (hasEnded = true))

  const until: EventReader['until'] = async fits => {
    const deadline = Date.now() + PATIENCE_MS
    while (!events.some(fits)) {
      if (hasEnded || Date.now() > deadline) throw new Error(`the event did not come: ${JSON.stringify(events)}`)
      await sleep(10)
    }
    return events
  }
  if (query.after === undefined) await until(({ type }) => type === 'position')
  return { events, until, hasEnded: () => hasEnded, close: () => closing.abort() }
}

export const typesOf = (events: StreamedEvent[]): string[] => events.map(({ type }) => type)

/** Lists the events for one resource, without search index events, whose timing varies. */
export const listChanges = (events: StreamedEvent[], id: string): string[] =>
  events.flatMap(({ type, resource }) => (resource?.id === id && type !== 'resource.indexed' ? [type] : []))
