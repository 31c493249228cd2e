import { AsyncLocalStorage } from 'node:async_hooks'
import { createHash } from 'node:crypto'
import { hashCanonical } from '../../../data/shared/canonical-hash.ts'
import type { SentRequest } from '../../../domain/runs/nodes.ts'
import type { Hop } from './redirect.ts'

/** The last request that a step sent. */
export interface SentLog {
  last?: SentRequest
}

/** The current step's log. */
const current = new AsyncLocalStorage<SentLog>()

/** Runs a step's work and keeps the last request that it sends in the log. */
export const withSentLog = <T>(log: SentLog, work: () => Promise<T>): Promise<T> => current.run(log, work)

/**
 * Records the hash of a request that is about to be sent.
 * @param secretHeaders lowercase names of headers with secret values, which are excluded from the hash
 */
export function noteSent({ method, url, headers, body }: Hop, secretHeaders: ReadonlySet<string>): void {
  const log = current.getStore()
  if (!log) return
  const bytes = typeof body === 'string' ? Buffer.from(body) : (body ?? new Uint8Array())
  const visibleHeaders = Object.fromEntries(Object.entries(headers).filter(([name]) => !secretHeaders.has(name)))
  const content = {
    method,
    url: url.href,
    headers: visibleHeaders,
    body: createHash('sha256').update(bytes).digest('hex'),
  }
  const sha256 = hashCanonical(content)
  log.last = { sha256, method, origin: url.origin, bytes: bytes.byteLength, at: new Date().toISOString() }
}
