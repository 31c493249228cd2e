import type { OutboundResponse } from '../outbound/client.ts'
import { retryAfterMs } from '../retry-after.ts'
import { StepError } from '../step-error.ts'
import { decodeBody } from './decode-body.ts'
import type { HttpStep } from './http-step.ts'
import { redact } from './redact.ts'

const EXCERPT = 500
const TRANSIENT = new Set([408, 425, 429])

/** The failure that an answer outside 2xx is: `HTTP_<status>`, worth a retry for 408, 425, 429 and 5xx. */
export function statusError(sent: HttpStep, response: OutboundResponse): StepError {
  const { status, headers } = response
  const retryable = TRANSIENT.has(status) || status >= 500
  const said = excerpt(sent, response)
  const message = `${new URL(sent.url).host} answered ${status}${said && `: ${said}`}`
  return new StepError(`HTTP_${status}`, message, {
    retryable,
    retryAfterMs: retryable ? retryAfterMs(headers['retry-after'], Date.now()) : undefined,
  })
}

function excerpt(sent: HttpStep, { body, headers }: OutboundResponse): string {
  const decoded = decodeBody(body, headers['content-type'])
  const text = typeof decoded === 'string' ? decoded : JSON.stringify(decoded)
  return redact(text, sent).replaceAll(/\s+/g, ' ').trim().slice(0, EXCERPT)
}
