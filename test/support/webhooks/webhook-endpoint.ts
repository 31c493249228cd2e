import type { IncomingHttpHeaders } from 'node:http'
import { readBody, startHttpServer } from '../stack/http-server.ts'
import { waitUntil } from '../stack/process.ts'

export interface ReceivedRequest {
  path: string
  headers: Record<string, string>
  body: string
}

/** The endpoint's response. `hang` keeps the request open. */
export type EndpointReply = { status: number; headers?: Record<string, string>; body?: string } | 'hang'

export interface WebhookEndpoint {
  url: string
  received: ReceivedRequest[]
  /** Sets the replies to the next requests for a path. Later requests get 204. */
  reply(path: string, ...replies: EndpointReply[]): void
  /** Resolves with the requests for a path once this many have arrived. */
  until(path: string, count: number): Promise<ReceivedRequest[]>
  close(): Promise<void>
}

/** Starts a real HTTP endpoint that records its requests. */
export async function startWebhookEndpoint(): Promise<WebhookEndpoint> {
  const received: ReceivedRequest[] = []
  const replies = new Map<string, EndpointReply[]>()
  const server = await startHttpServer((request, response) => {
    void readBody(request).then(body => {
      received.push({ path: request.url ?? '', headers: plain(request.headers), body })
      const reply = replies.get(request.url ?? '')?.shift() ?? { status: 204 }
      if (reply !== 'hang') response.writeHead(reply.status, reply.headers).end(reply.body)
    })
  })
  const of = (path: string) => received.filter(request => request.path === path)
  return {
    url: server.url,
    received,
    reply: (path, ...list) => void replies.set(path, list),
    until: (path, count) =>
      waitUntil(
        async () => of(path).length >= count && of(path),
        undefined,
        () => `${path} got ${of(path).length} requests of ${count}`,
      ),
    close: () => server.close(),
  }
}

const plain = (headers: IncomingHttpHeaders): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))
