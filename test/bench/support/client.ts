import { Ganglion } from '@ganglion/client'
import { Agent, fetch } from 'undici'

/** The client that users have, on separate connections. */
export interface BenchClient {
  ganglion: Ganglion
  close(): Promise<void>
}

const CONNECTIONS = 128

/**
 * Creates a client without retries, so that each time covers one request and failures are visible. The item `client`
 * of `npm run bench` measures the overhead of the client.
 */
export function createBenchClient(
  baseUrl: string,
  apiKey: string,
  connections: number | null = CONNECTIONS,
): BenchClient {
  const dispatcher = new Agent({ connections, keepAliveTimeout: 60_000 })
  const send = (input: string, init: object) => fetch(input, { ...init, dispatcher })
  return {
    ganglion: new Ganglion({ baseUrl, apiKey, maxRetries: 0, fetch: send as unknown as typeof globalThis.fetch }),
    close: () => dispatcher.destroy(),
  }
}
