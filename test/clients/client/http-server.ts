import type { IncomingMessage, ServerResponse } from 'node:http'
import { Ganglion, type ClientOptions } from '@ganglion/client'
import { readBody, startHttpServer } from '../../support/stack/http-server.ts'

export interface SeenRequest {
  method: string
  url: string
  headers: IncomingMessage['headers']
  body: string
}

export interface Reply {
  status?: number
  headers?: Record<string, string>
  /** JSON, or text that is sent unchanged. */
  body?: object | string
}

/** Starts a server with scripted responses, and a client for it. */
export async function startServer(
  answer: (request: SeenRequest, count: number, response: ServerResponse) => Reply | 'hang' | 'cut',
) {
  const seen: SeenRequest[] = []
  const server = await startHttpServer((request, response) => {
    void readBody(request).then(body => {
      const { method = '', url = '', headers } = request
      seen.push({ method, url, headers, body })
      const reply = answer(seen.at(-1) as SeenRequest, seen.length, response)
      if (reply === 'hang') return
      if (reply === 'cut') {
        request.socket.destroy()
        return
      }
      const text = typeof reply.body === 'string' ? reply.body : JSON.stringify(reply.body ?? {})
      response.writeHead(reply.status ?? 200, { 'content-type': 'application/json', ...reply.headers }).end(text)
    })
  })
  const client = (options: ClientOptions = {}) =>
    new Ganglion({ baseUrl: server.url, apiKey: 'key', ...options } as ClientOptions)
  return { url: server.url, seen, client, close: () => server.close() }
}

/** An error in the API format. */
export const refusal = (status: number, code: string, retryAfter?: number): Reply => ({
  status,
  body: { code, message: `it is ${code}`, ...(retryAfter !== undefined && { retryAfter }) },
})
