import type { TestServer } from '../../support/stack/http-server.ts'
import { startHttpServer } from '../../support/stack/http-server.ts'

/** The local endpoint that activities on both sides call. */
export interface Endpoint extends TestServer {
  /** Resolves with the time (`performance.now()`) at which a request for this path arrives. */
  arrival(path: string): Promise<number>
}

const ANSWER = JSON.stringify({ ok: true })
const HEAD = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(ANSWER) }

export async function startEndpoint(): Promise<Endpoint> {
  const awaited = new Map<string, (at: number) => void>()
  const server = await startHttpServer((request, response) => {
    const at = performance.now()
    const path = request.url ?? '/'
    request.resume()
    request.on('end', () => response.writeHead(200, HEAD).end(ANSWER))
    awaited.get(path)?.(at)
    awaited.delete(path)
  })
  return { ...server, arrival: path => new Promise(resolve => awaited.set(path, resolve)) }
}
