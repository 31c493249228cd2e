import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Attack, expectFigure } from './attack.ts'

const CONNECTIONS = 1_000
const DRIP_MS = 1_000
/** The longest that a connection without a complete request may stay open: the whole request has a minute. */
const MAX_SECONDS = 62

/** Half of the connections never end their headers, the others never end their body. Each sends a byte per second. */
export const slowBodies: Attack = {
  name: `${CONNECTIONS} requests at a byte a second`,
  async run({ stack, workspace, measure }) {
    const { hostname, port } = new URL(stack.baseUrl)
    const request = `POST /v1/skills HTTP/1.1\r\nHost: ${hostname}\r\nAuthorization: Bearer ${workspace.api_key}\r\n`
    const heads = [request, `${request}Content-Type: application/json\r\nContent-Length: 100000\r\n\r\n{`]
    const began = Date.now()
    const ends: number[] = []
    const sockets = Array.from({ length: CONNECTIONS }, (_, i) => {
      const socket = connect(Number(port), hostname, () => socket.write(heads[i % 2] ?? ''))
      socket.on('error', () => undefined).resume()
      socket.once('close', () => ends.push((Date.now() - began) / 1_000))
      return socket
    })
    const drips = setInterval(() => sockets.forEach(drip), DRIP_MS)
    await measure()
    while (ends.length < CONNECTIONS && Date.now() - began < MAX_SECONDS * 1_000) await sleep(DRIP_MS)
    clearInterval(drips)
    for (const socket of sockets) socket.destroy()
    expectFigure('connections that were never closed', CONNECTIONS - ends.length, ends.length === CONNECTIONS)
    const sorted = ends.toSorted((a, b) => a - b)
    return `all closed by the server, after ${sorted[0]?.toFixed(0)} to ${sorted.at(-1)?.toFixed(0)} s`
  },
}

const drip = (socket: Socket) => void (socket.writable && socket.write('a'))
