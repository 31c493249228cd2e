import { createServer } from 'node:http'
import type { RequestListener, Server } from 'node:http'
import { Socket } from 'node:net'
import type { Duplex } from 'node:stream'

/** Time limits for the head of a request and the whole request, in milliseconds. Responses have none. */
const HEADERS_MS = 10_000
const REQUEST_MS = 60_000
/** Longer than load balancers usually keep a connection, so that the balancer closes it first. */
const KEEP_ALIVE_MS = 75_000
/** How often the time limits are checked. */
const CHECK_MS = 1_000

interface ApiHandler {
  handler: RequestListener
  /** Counts a request that is not valid HTTP, and returns lines for the head of the response. */
  countUnread: (address: string | undefined) => Promise<string[]>
}

/**
 * Creates the HTTP server of the API. It does not listen yet. Connections above the maximum are closed at once; open
 * streams are a part of them.
 */
export function createApiServer({ handler, countUnread }: ApiHandler, maxConnections: number): Server {
  const options = {
    noDelay: true,
    headersTimeout: HEADERS_MS,
    requestTimeout: REQUEST_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    connectionsCheckingInterval: CHECK_MS,
  }
  const server = createServer(options, handler).on(
    'clientError',
    (error, socket) => void refuse(error, socket, countUnread),
  )
  server.maxConnections = maxConnections
  return server
}

/** Responds to a request that is not valid HTTP with the JSON error body. */
async function refuse(
  error: NodeJS.ErrnoException,
  socket: Duplex,
  countUnread: ApiHandler['countUnread'],
): Promise<void> {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const [status, message] = MEANING[error.code ?? ''] ?? ['400 Bad Request', 'The request is not valid HTTP']
  const body = JSON.stringify({ message, code: 'VALIDATION_ERROR' })
  const counted = await countUnread(socket instanceof Socket ? socket.remoteAddress : undefined)
  if (!socket.writable) return
  const head = [
    `HTTP/1.1 ${status}`,
    'Connection: close',
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    ...counted,
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
}

const MEANING: Record<string, [status: string, message: string]> = {
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'The request headers are too large'],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'The request took too long to arrive'],
}

/** Starts to listen. Resolves with the port, which is a free one if `port` is 0. */
export function listen(server: Server, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      const address = server.address()
      resolve(typeof address === 'object' && address ? address.port : port)
    })
  })
}

/** Refuses new connections and waits for open requests. After the time limit it closes the remaining connections. */
export function drain(server: Server, deadlineMs: number): Promise<void> {
  return new Promise(resolve => {
    const deadline = setTimeout(() => server.closeAllConnections(), deadlineMs)
    const idle = setInterval(() => server.closeIdleConnections(), 100)
    server.close(() => {
      clearTimeout(deadline)
      clearInterval(idle)
      resolve()
    })
  })
}
