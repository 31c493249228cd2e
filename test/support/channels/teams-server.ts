import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { readBody, startHttpServer } from '../stack/http-server.ts'

/** A message as a Teams workflow accepts it. */
export interface TeamsMessage {
  type: 'message'
  attachments: { contentType: string; content: AdaptiveCard }[]
}

interface AdaptiveCard {
  type: 'AdaptiveCard'
  version: string
  body: { type: string; inlines: { type: string; text: string }[] }[]
  actions: { type: string; url?: string }[]
}

/** A workflow with the trigger "When a Teams webhook request is received". */
export interface TeamsServer {
  /** The secret address of the workflow. */
  url: string
  messages: TeamsMessage[]
  /** Makes the next request fail with this status. */
  fail(status: number, headers?: Record<string, string>): void
  close(): Promise<void>
}

const MAX_BYTES = 28_000

export async function startTeamsServer(): Promise<TeamsServer> {
  const path = `/workflows/${randomUUID()}/triggers/manual/paths/invoke`
  const query = `?sig=${randomUUID()}`
  const messages: TeamsMessage[] = []
  const failures: { status: number; headers: Record<string, string> }[] = []
  async function reply(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await readBody(request)
    const failure = failures.shift()
    const isKnown = request.method === 'POST' && request.url === path + query
    const isJson = request.headers['content-type']?.startsWith('application/json') === true
    if (failure) return void response.writeHead(failure.status, failure.headers).end()
    if (!isKnown) return void response.writeHead(401).end()
    if (!isJson || Buffer.byteLength(body) > MAX_BYTES) return void response.writeHead(400).end()
    messages.push(JSON.parse(body) as TeamsMessage)
    // The workflow posts the card later.
    response.writeHead(202).end()
  }

  const server = await startHttpServer((request, response) => void reply(request, response))
  return {
    url: server.url + path + query,
    messages,
    fail: (status, headers = {}) => void failures.push({ status, headers }),
    close: () => server.close(),
  }
}
