import type { IncomingMessage, ServerResponse } from 'node:http'
import { startHttpServer, type TestServer } from '../../../support/stack/http-server.ts'

const EVENTS = [
  { type: 'token', token: 'Grü', key: 'a', node_id: 'a' },
  { type: 'token', token: 'ße', key: 'a', node_id: 'a' },
  { type: 'complete', result: {} },
]

const CORS = {
  'access-control-allow-origin': '*',
  'access-control-allow-headers': 'authorization,content-type,idempotency-key,x-brain-id,x-publishable-key',
  'access-control-allow-methods': 'GET,POST',
  'access-control-expose-headers': 'x-request-id',
}

/**
 * Starts a service with a few routes. A stream without `after` breaks after its first event. `page` is served at `/`.
 */
export function startScenarioServer(page: string): Promise<TestServer> {
  return startHttpServer((request, response) => {
    const url = new URL(request.url ?? '', 'http://x')
    const answer = (status: number, body: object) =>
      response
        .writeHead(status, { ...CORS, 'content-type': 'application/json', 'x-request-id': 'r-1' })
        .end(JSON.stringify(body))
    if (request.method === 'OPTIONS') response.writeHead(204, CORS).end()
    else if (url.pathname === '/') response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(page)
    else if (url.pathname.endsWith('/execute')) answer(202, { job_id: 'j-1', status: 'pending' })
    else if (url.pathname.endsWith('/stream')) stream(request, response, url.searchParams.get('after'))
    else if (url.pathname === '/v1/jobs') answer(200, list(Number(url.searchParams.get('offset') ?? 0)))
    else if (url.pathname === '/v1/jobs/missing') answer(404, { code: 'NOT_FOUND', message: 'Job does not exist' })
    else if (url.pathname !== '/v1/jobs/slow') answer(200, { job_id: 'j-1' })
  })
}

function list(offset: number): object {
  const all = ['j-1', 'j-2', 'j-3'].map(job_id => ({ job_id }))
  return { jobs: all.slice(offset, offset + 2), total: all.length, limit: 2, offset }
}

function stream(request: IncomingMessage, response: ServerResponse, after: string | null): void {
  const first = after === null ? 0 : Number(after.split('-')[0])
  response.writeHead(200, { ...CORS, 'content-type': 'text/event-stream' })
  const frames = EVENTS.map((event, i) => `id: ${i + 1}-0\ndata: ${JSON.stringify(event)}\n\n`)
  if (after === null) response.write(frames[0], () => request.socket.destroy())
  else response.end(frames.slice(first).join(''))
}
