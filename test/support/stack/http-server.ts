import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface TestServer {
  /** Such as `http://127.0.0.1:41234`, without a slash at the end. */
  url: string
  port: number
  close(): Promise<void>
  /** Lets the process end while the server is open. */
  unref(): void
}

/** A real HTTP server on a free port of loopback, or of another local address. */
export async function startHttpServer(listener: RequestListener, host = '127.0.0.1'): Promise<TestServer> {
  const server = createServer(listener)
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, host, resolve)
  })
  const { port } = server.address() as AddressInfo
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${port}`,
    port,
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
    unref: () => void server.unref(),
  }
}

/** Reads a request's body as text. */
export async function readBody(request: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}
