import { Ganglion } from '@ganglion/client'
import { Agent, fetch } from 'undici'

/** The client as users have it, on connections of the bench's own. */
export interface BenchClient {
  ganglion: Ganglion
  close(): Promise<void>
}

const CONNECTIONS = 128

/**
 * Creates a client that repeats nothing, so that a time is that of one request and a failure is seen. What the client itself
 * takes is the item `client` of `npm run bench`.
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
