import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import type { Logger } from 'pino'
import { limitResponse } from '../domain/agents/models/bounded-answer.ts'

/**
 * The metrics of Temporal's SDK. Its native part serves them on an address of its own, and has no other interface that is
 * stable; the process serves them with its own metrics.
 */
export interface TemporalMetrics {
  host: string
  port: number
  /** Returns them in the text format of Prometheus; nothing while they cannot be read. */
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
        log.warn({ err }, 'the metrics of Temporal could not be read')
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
