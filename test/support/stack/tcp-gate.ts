import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net'

export interface TcpGate {
  /** Returns the URL that leads through the gate. */
  through(url: string): string
  /** Cuts every connection and rejects new ones. */
  shut(): Promise<void>
  open(): Promise<void>
  /** Keeps connections open but transfers nothing until `resume`. */
  stall(): void
  resume(): void
  /** Returns the number of chunks that clients have sent. One write by a client is one chunk. */
  received(): number
  close(): Promise<void>
}

/**
 * Creates a gate in front of a real server, to test what happens when the server is unreachable. The gate is open at
 * first.
 */
export async function createTcpGate(target: string): Promise<TcpGate> {
  const { hostname, port } = new URL(target)
  const sockets = new Set<Socket>()
  let stalled = false
  let received = 0
  let server: Server | undefined
  let gatePort = 0

  const carry = (from: Socket, to: Socket) => {
    sockets.add(from)
    from.on('data', chunk => to.write(chunk))
    from.on('error', () => undefined)
    from.on('close', () => {
      sockets.delete(from)
      to.destroy()
    })
    if (stalled) from.pause()
  }

  const gate: TcpGate = {
    through: url => {
      const other = new URL(url)
      other.hostname = '127.0.0.1'
      other.port = String(gatePort)
      return other.href
    },
    async open() {
      const listener = createServer(client => {
        const upstream = connect(Number(port), hostname)
        carry(client, upstream)
        client.on('data', () => received++)
        carry(upstream, client)
      })
      server = listener
      await new Promise<void>(resolve => listener.listen(gatePort, '127.0.0.1', resolve))
      gatePort = (listener.address() as AddressInfo).port
    },
    async shut() {
      const closing = server
      server = undefined
      const closure = closing && new Promise(resolve => closing.close(resolve))
      for (const socket of sockets) socket.destroy()
      await closure
    },
    stall() {
      stalled = true
      for (const socket of sockets) socket.pause()
    },
    resume() {
      stalled = false
      for (const socket of sockets) socket.resume()
    },
    received: () => received,
    close: () => gate.shut(),
  }
  await gate.open()
  return gate
}
