import { createServer } from 'node:http'
import type { RequestListener, Server } from 'node:http'
import { Socket } from 'node:net'
import type { Duplex } from 'node:stream'

/**
 * Time limits for receiving the request headers and the whole request, in milliseconds. Responses have no time limit.
 */
const HEADERS_MS = 10_000
const REQUEST_MS = 60_000
/** Longer than the usual keep-alive of load balancers, so that the load balancer closes connections first. */
const KEEP_ALIVE_MS = 75_000
/** Interval between checks of the time limits. */
const CHECK_MS = 1_000

interface ApiHandler {
  handler: RequestListener
  /** Counts a request that is not valid HTTP. Returns the header lines for the response. */
  countUnread: (address: string | undefined) => Promise<string[]>
}

/**
 * Creates the API's HTTP server without listening. The maximum number of connections includes open streams.
 * Connections above the maximum are closed immediately.
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

/** Responds with the JSON error body to a request that is not valid HTTP. */
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

/** Starts listening. Resolves with the port. If `port` is 0, this is a free port. */
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

/** Refuses new connections and waits for open requests. Closes the remaining connections after the time limit. */
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
