import { createServer } from 'node:http'
import type { RequestListener, Server } from 'node:http'
import type { Duplex } from 'node:stream'

/** How long a request's head, and all of it, may take to arrive, in milliseconds. Answers may take as long as they need. */
const HEADERS_MS = 10_000
const REQUEST_MS = 60_000
/** Longer than the usual load balancer keeps a connection, so that it is never the one to be surprised. */
const KEEP_ALIVE_MS = 75_000

/** The HTTP server of the API; it listens to nothing yet. */
export function createApiServer(handler: RequestListener): Server {
  const options = {
    noDelay: true,
    headersTimeout: HEADERS_MS,
    requestTimeout: REQUEST_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
  }
  return createServer(options, handler).on('clientError', refuse)
}

/** What cannot be read as HTTP gets an answer of the usual form. */
function refuse(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const [status, message] = MEANING[error.code ?? ''] ?? ['400 Bad Request', 'The request is not valid HTTP']
  const body = JSON.stringify({ message, code: 'VALIDATION_ERROR' })
  const head = `Connection: close\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}`
  socket.end(`HTTP/1.1 ${status}\r\n${head}\r\n\r\n${body}`)
}

const MEANING: Record<string, [status: string, message: string]> = {
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'The request headers are too large'],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'The request took too long to arrive'],
}

/** Starts listening; resolves to the port, which matters where 0 was asked for. */
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

/** Takes no new connections and lets requests in flight finish; at the deadline it cuts what is left. */
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
