import { Context } from '@temporalio/activity'
import { Agent, request } from 'undici'

export interface HttpCall {
  url: string
  json: object
}

export interface HttpAnswer {
  status: number
  headers: Record<string, unknown>
  body: unknown
}

export interface Activities {
  http(call: HttpCall): Promise<HttpAnswer>
}

/** The same interval as in Ganglion. */
const HEARTBEAT_MS = 500

/** The same kind of activity as for an `http` node: undici, cancellation of the call, and a heartbeat. */
export function createActivities(): Activities {
  const dispatcher = new Agent()
  return {
    async http({ url, json }) {
      const context = Context.current()
      const { info, cancellationSignal: signal } = context
      const heartbeat = info.isLocal ? undefined : setInterval(() => context.heartbeat(), HEARTBEAT_MS)
      try {
        const headers = { 'content-type': 'application/json' }
        const options = { method: 'POST' as const, headers, body: JSON.stringify(json), dispatcher, signal }
        const response = await request(url, options)
        return { status: response.statusCode, headers: response.headers, body: await response.body.json() }
      } finally {
        clearInterval(heartbeat)
      }
    },
  }
}
