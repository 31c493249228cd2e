import { setTimeout as sleep } from 'node:timers/promises'
import type { JobEvent } from '../../domain/jobs.ts'
import type { Credentials } from '../stack/credentials.ts'
import { readEvents } from './sse.ts'

const CALL_MS = 30_000
const RECONNECT_MS = 500
const MAX_RECONNECTS = 20

/** An answer of the API that is not 2xx. */
export class ApiError extends Error {
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.name = 'ApiError'
    this.status = status
  }
}

export interface ApiClient {
  /** Sends JSON and gives the JSON that comes back. Throws ApiError. */
  call<T>(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<T>
  /** The events of a job up to its terminal one; a dropped connection is taken up again where it ended. */
  follow(jobId: string): AsyncGenerator<JobEvent>
}

export function createApiClient({ base_url, api_key }: Credentials): ApiClient {
  const authorization = `Bearer ${api_key}`

  async function call<T>(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<T> {
    const response = await fetch(`${base_url}${path}`, {
      method,
      headers: { authorization, 'content-type': 'application/json', ...headers },
      body: body === undefined ? undefined : JSON.stringify(body),
      signal: AbortSignal.timeout(CALL_MS),
    })
    const text = await response.text()
    if (!response.ok) throw new ApiError(response.status, `${method} ${path} answered ${response.status}: ${text}`)
    return (text === '' ? undefined : JSON.parse(text)) as T
  }

  async function* follow(jobId: string): AsyncGenerator<JobEvent> {
    let after: string | undefined
    for (let tries = 0; tries <= MAX_RECONNECTS; tries++) {
      try {
        for await (const { id, event } of connect(jobId, after)) {
          after = id ?? after
          yield event
          if (event.type === 'complete' || event.type === 'error') return
        }
      } catch (error) {
        if (error instanceof ApiError) throw error
      }
      await sleep(RECONNECT_MS)
    }
    throw new Error(`The stream of ${jobId} could not be read to its end`)
  }

  async function* connect(
    jobId: string,
    after: string | undefined,
  ): AsyncGenerator<{ id: string | undefined; event: JobEvent }> {
    const query = after ? `?after=${encodeURIComponent(after)}` : ''
    const path = `/v1/jobs/${encodeURIComponent(jobId)}/stream${query}`
    const response = await fetch(`${base_url}${path}`, { headers: { authorization, accept: 'text/event-stream' } })
    if (!response.ok || !response.body)
      throw new ApiError(response.status, `${path} answered ${response.status}: ${await response.text()}`)
    for await (const { id, data } of readEvents(response.body)) yield { id, event: JSON.parse(data) as JobEvent }
  }

  return { call, follow }
}
