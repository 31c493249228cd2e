import { createRedactor, type Redactor } from '../../../domain/tools/redactor.ts'
import type { OutboundResponse } from '../outbound/client.ts'
import { retryAfterMs } from '../../shared/retry-after.ts'
import { StepError } from '../../../domain/runs/step-error.ts'
import { decodeBody } from './decode-body.ts'
import type { HttpStep } from './http-step.ts'
import { listSecrets } from './sent-secrets.ts'

const MAX_EXCERPT_CHARS = 500
const TRANSIENT = new Set([408, 425, 429])

/**
 * Returns the error `HTTP_<status>` for a response outside 2xx; 408, 425, 429 and 5xx are retryable. The message quotes
 * the response without the secrets of `redactor` and other values of the request that may be secret.
 */
export function statusError(request: HttpStep, response: OutboundResponse, redactor: Redactor): StepError {
  const { status, headers } = response
  const retryable = TRANSIENT.has(status) || status >= 500
  const text = excerpt(request, response, redactor)
  const message = `${new URL(request.url).host} answered ${status}${text && `: ${text}`}`
  return new StepError(`HTTP_${status}`, message, {
    retryable,
    retryAfterMs: retryable ? retryAfterMs(headers['retry-after'], Date.now()) : undefined,
  })
}

function excerpt(request: HttpStep, { body, headers }: OutboundResponse, redactor: Redactor): string {
  const decoded = decodeBody(body, headers['content-type'])
  const text = typeof decoded === 'string' ? decoded : JSON.stringify(decoded)
  const redacted = redactor.text(createRedactor(listSecrets(request)).text(text))
  return redacted.replaceAll(/\s+/g, ' ').trim().slice(0, MAX_EXCERPT_CHARS)
}
