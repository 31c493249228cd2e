import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface TestServer {
  /** For example `http://127.0.0.1:41234`, without a trailing slash. */
  url: string
  port: number
  close(): Promise<void>
  /** Lets the process exit while the server is open. */
  unref(): void
}

/** Starts a real HTTP server on a free loopback port, or on another local address. */
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

/** Reads the body of a request as text. */
export async function readBody(request: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}
