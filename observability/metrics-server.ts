import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Logger } from 'pino'

export interface MetricsServer {
  port: number
  close(): Promise<void>
}

interface Settings {
  host: string
  /** The port number, or 0 for any free port. */
  port: number
  /** Returns the metrics in the Prometheus text format. */
  read: () => Promise<string>
  log: Logger
}

const CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8'
const MAX_CONNECTIONS = 20
const REQUEST_MS = 5_000
const KEEP_ALIVE_MS = 75_000

/** Serves only `GET /metrics`, on a separate port. Throws if the port is in use. */
export async function serveMetrics({ host, port, read, log }: Settings): Promise<MetricsServer> {
  const times = { headersTimeout: REQUEST_MS, requestTimeout: REQUEST_MS, keepAliveTimeout: KEEP_ALIVE_MS }
  const server = createServer(times, (req, res) => void answer(req, res))
  server.maxConnections = MAX_CONNECTIONS

  async function answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    if (req.url !== '/metrics') return respond(res, 404, 'Not found')
    if (req.method !== 'GET') return respond(res.setHeader('Allow', 'GET'), 405, 'Method not allowed')
    try {
      respond(res, 200, await read())
    } catch (err) {
      log.error({ err }, 'reading the metrics failed')
      respond(res, 500, 'Reading the metrics failed')
    }
  }

  server.listen(port, host)
  await once(server, 'listening').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EADDRINUSE') throw error
    throw new Error(
      `The metrics port ${port} on ${host} is already in use. Set METRICS_PORT for this process to a free port`,
    )
  })
  const address = server.address() as AddressInfo
  log.info({ host, port: address.port }, 'serving metrics')
  return {
    port: address.port,
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function respond(res: ServerResponse, status: number, text: string): void {
  res.writeHead(status, { 'Content-Type': status === 200 ? CONTENT_TYPE : 'text/plain; charset=utf-8' }).end(text)
}
