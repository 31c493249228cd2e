import type { Readable } from 'node:stream'
import { StepError } from '../../domain/runs/step-error.ts'
import { MAX_RETRY_AFTER_MS } from '../../domain/webhooks/webhook-retries.ts'
import type { SendWebhook } from '../../services/webhooks/attempt-delivery.ts'
import type { Outbound } from '../../services/tools/outbound/client.ts'
import { retryAfterMs } from '../shared/retry-after.ts'

/** Time limit for one request, from the DNS lookup to the last response byte that is stored. */
const TIMEOUT_MS = 15_000
/** Maximum number of response bytes stored for the delivery log. */
const MAX_KEPT_BYTES = 1_024

/** Creates the webhook sender. The sender does not follow redirects, which count as failures. */
export function createSendWebhook({ open }: Pick<Outbound, 'open'>, timeoutMs = TIMEOUT_MS): SendWebhook {
  return async ({ url, headers, body, signal }) => {
    const timeout = AbortSignal.timeout(timeoutMs)
    try {
      const request = { method: 'POST', url, headers, body, signal: AbortSignal.any([signal, timeout]) }
      const response = await open(request)
      const text = await readBeginning(response.body)
      const retryAfter = retryAfterMs(response.headers['retry-after'], Date.now(), MAX_RETRY_AFTER_MS)
      return { status: response.status, text, retryAfterMs: retryAfter }
    } catch (error) {
      signal.throwIfAborted()
      if (!timeout.aborted) throw error
      const message = `The endpoint did not respond within ${timeoutMs / 1_000} s`
      throw new StepError('OUTBOUND_TIMEOUT', message, { retryable: true })
    }
  }
}

/** Reads the part of the body to store, and closes the connection if there is more. */
async function readBeginning(body: Readable): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of body as AsyncIterable<Buffer>) {
    chunks.push(chunk)
    size += chunk.length
    if (size >= MAX_KEPT_BYTES) break
  }
  return Buffer.concat(chunks).subarray(0, MAX_KEPT_BYTES).toString('utf8')
}
