import { AsyncLocalStorage } from 'node:async_hooks'
import { createHash } from 'node:crypto'
import { hashCanonical } from '../../../data/shared/canonical-hash.ts'
import type { SentRequest } from '../../../domain/runs/nodes.ts'
import type { Hop } from './redirect.ts'

/** The last request that a step has sent. */
export interface SentLog {
  last?: SentRequest
}

/** The log of the step that runs. */
const current = new AsyncLocalStorage<SentLog>()

/** Runs the work of a step, and keeps the last request that it sends in the log. */
export const withSentLog = <T>(log: SentLog, work: () => Promise<T>): Promise<T> => current.run(log, work)

/**
 * Keeps the hash of a request that leaves now.
 * @param secretHeaders lower-case names of headers whose values are secrets: they are not part of the hash
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
