import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Logger } from 'pino'

export interface TextServer {
  port: number
  close(): Promise<void>
}

export interface TextReply {
  status: number
  text: string
  contentType?: string
}

export interface TextServerSettings {
  /** Name of the served content in log messages, such as `metrics`. */
  name: string
  host: string
  /** The port number, or 0 for any free port. */
  port: number
  /** The setting that contains the port. */
  setting: string
  /** The replies to GET requests, by path. */
  routes: Record<string, () => Promise<TextReply>>
  log: Logger
}

const MAX_CONNECTIONS = 20
const REQUEST_MS = 5_000
const KEEP_ALIVE_MS = 75_000

/** Serves short texts, such as metrics, on a separate port. Throws if the port is in use. */
export async function serveTexts({ name, host, port, setting, routes, log }: TextServerSettings): Promise<TextServer> {
  const times = { headersTimeout: REQUEST_MS, requestTimeout: REQUEST_MS, keepAliveTimeout: KEEP_ALIVE_MS }
  const server = createServer(times, (req, res) => void answer(req, res))
  server.maxConnections = MAX_CONNECTIONS

  async function answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const read = Object.hasOwn(routes, req.url ?? '') ? routes[req.url ?? ''] : undefined
    if (!read) return respond(res, { status: 404, text: 'Not found' })
    if (req.method !== 'GET') return respond(res.setHeader('Allow', 'GET'), { status: 405, text: 'Method not allowed' })
    try {
      respond(res, await read())
    } catch (err) {
      log.error({ err }, `reading the ${name} failed`)
      respond(res, { status: 500, text: `Reading the ${name} failed` })
    }
  }

  server.listen(port, host)
  await once(server, 'listening').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EADDRINUSE') throw error
    throw new Error(
      `The ${name} port ${port} on ${host} is already in use. Set ${setting} for this process to a free port`,
    )
  })
  const address = server.address() as AddressInfo
  log.info({ host, port: address.port }, `serving ${name}`)
  return {
    port: address.port,
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function respond(res: ServerResponse, { status, text, contentType = 'text/plain; charset=utf-8' }: TextReply): void {
  res.writeHead(status, { 'Content-Type': contentType }).end(text)
}
