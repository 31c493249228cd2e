import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import type { Logger } from 'pino'
import { limitResponse } from '../domain/agents/models/bounded-answer.ts'

/**
 * The Temporal SDK's metrics. The SDK's native part serves them at its own address and has no other stable interface.
 * The process adds them to its own metrics.
 */
export interface TemporalMetrics {
  host: string
  port: number
  /** Returns the metrics in the Prometheus text format, or an empty string if they cannot be read. */
  read(): Promise<string>
}

const HOST = '127.0.0.1'
const READ_MS = 2_000
const MAX_BYTES = 8_388_608

export async function openTemporalMetrics(log: Logger): Promise<TemporalMetrics> {
  const port = await findFreePort()
  return {
    host: HOST,
    port,
    async read() {
      try {
        const answer = await fetch(`http://${HOST}:${port}/metrics`, { signal: AbortSignal.timeout(READ_MS) })
        return await limitResponse(answer, MAX_BYTES).text()
      } catch (err) {
        log.warn({ err }, 'reading the Temporal metrics failed')
        return ''
      }
    },
  }
}

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, HOST)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
