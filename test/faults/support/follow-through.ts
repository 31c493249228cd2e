import { setTimeout as sleep } from 'node:timers/promises'
import type { JobEvent } from '../../../domain/runs/events.ts'
import type { ApiClient } from '../../support/clients/client.ts'

export interface SeenEvent {
  id: string
  data: JobEvent
}

export interface Reading {
  /** The events so far, in order of arrival. */
  events: SeenEvent[]
  /** The number of connections. */
  connections: number
  /** Settles when the stream's terminal event arrives. */
  done: Promise<void>
}

const PATIENCE_MS = 90_000
const RECONNECT_MS = 100

/** Reads a job's stream as a browser does: after each disconnection it reconnects with the last event id. */
export function followThrough(client: ApiClient, jobId: string, after?: string): Reading {
  const signal = AbortSignal.timeout(PATIENCE_MS)
  const events: SeenEvent[] = []
  const reading: Reading = { events, connections: 0, done: Promise.resolve() }

  async function connect(): Promise<void> {
    const from = events.at(-1)?.id ?? after
    const stream = await client.sse(`/v1/jobs/${jobId}/stream${from === undefined ? '' : `?after=${from}`}`, { signal })
    reading.connections++
    for await (const { id, data } of stream) if (data) events.push({ id, data })
  }

  const hasEnded = () => ['complete', 'error'].includes(events.at(-1)?.data.type ?? '')

  async function read(): Promise<void> {
    while (!hasEnded()) {
      await connect().catch(() => undefined)
      if (signal.aborted) throw new Error(`no end within ${PATIENCE_MS} ms: ${JSON.stringify(events.slice(-5))}`)
      if (!hasEnded()) await sleep(RECONNECT_MS)
    }
  }

  reading.done = read()
  reading.done.catch(() => undefined)
  return reading
}

/** Returns the text of one node as a reader assembles it. A new attempt starts the text again. */
export function joinTokens(events: SeenEvent[], key: string): string {
  let text = ''
  for (const { data } of events) {
    if (data.type === 'attempt_reset' && data.key === key) text = ''
    if (data.type === 'token' && data.key === key) text += data.token
  }
  return text
}
