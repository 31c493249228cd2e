import { Context } from '@temporalio/activity'
import type { Outbound, OutboundResponse } from '../../../services/tools/outbound/client.ts'
import type { Secrets } from '../secrets.ts'
import type { Step } from '../../runs/step.ts'
import type { StepInput } from '../../types.ts'
import { decodeBody } from './decode-body.ts'
import { type HttpStep, readHttpStep } from './http-step.ts'
import { createRedactor, type Redactor } from '../../../domain/tools/redactor.ts'
import { retryAfterMs } from '../../shared/retry-after.ts'
import { StepError } from '../../../domain/runs/step-error.ts'
import { SAFE_HEADERS } from '../../../domain/tools/headers.ts'

/** Methods without side effects, which do not need an idempotency key. */
const SAFE = new Set(['GET', 'HEAD'])

/**
 * Creates the activity for the `http` node: one call, with output `{status, headers, body}`, where `body` is parsed
 * if it is JSON. Throws StepError: `HTTP_<status>` for a status outside 2xx, NODE_INPUT_INVALID, and the outbound
 * client's errors.
 */
export function createHttpActivity({ outbound, secrets }: { outbound: Outbound; secrets: Secrets }): Step {
  return async input => {
    const { cancellationSignal } = Context.current()
    const step = readHttpStep(input.with)
    const { headers: credentials, redactor } = await resolveCredentials(step, input, secrets)
    const request = { ...step, headers: { ...buildHeaders(input, step), ...step.headers, ...credentials } }
    const secretHeaders = Object.keys(credentials)
    const response = await outbound.request({ ...request, signal: cancellationSignal, secretHeaders })
    if (response.status < 200 || response.status > 299) throw statusError(request, response, redactor)
    const body = decodeBody(response.body, response.headers['content-type'])
    return { output: redactor.json({ status: response.status, headers: response.headers, body }) }
  }
}

async function resolveCredentials({ url, secrets: references }: HttpStep, { job }: StepInput, secrets: Secrets) {
  const names = Object.fromEntries(Object.entries(references).map(([header, { secret }]) => [header, secret]))
  const { headers, redactor } = await secrets.credentialsFor({ names, url, workspace_id: job.workspace_id })
  for (const [header, { prefix }] of Object.entries(references)) headers[header] = prefix + (headers[header] ?? '')
  return { headers, redactor }
}

/**
 * Builds the headers. All attempts of one activation share an idempotency key, by which servers can recognize
 * retries.
 */
function buildHeaders(input: StepInput, step: HttpStep): Record<string, string> {
  const agent = { 'user-agent': 'ganglion' }
  if (SAFE.has(step.method.toUpperCase())) return agent
  return { ...agent, 'idempotency-key': escapeUnprintable(`${input.job.job_id}:${input.node.key}`) }
}

const escapeUnprintable = (key: string): string => key.replaceAll(/[^\x21-\x7e]/gu, encodeURIComponent)

const MAX_EXCERPT_CHARS = 500
const TRANSIENT = new Set([408, 425, 429])

/**
 * Returns the error `HTTP_<status>` for a response outside 2xx. 408, 425, 429 and 5xx are retryable. The message
 * quotes the response, but omits the secrets in `redactor` and other request values that may be secret.
 */
function statusError(request: HttpStep, response: OutboundResponse, redactor: Redactor): StepError {
  const { status, headers } = response
  const retryable = TRANSIENT.has(status) || status >= 500
  const text = excerpt(request, response, redactor)
  const message = `${new URL(request.url).host} returned ${status}${text && `: ${text}`}`
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

const SECRET_PARAMETER = /key|token|secret|sig|pass|auth|credential|^t$|^code$/i

/** Returns request values that may be secret: header values, and query parameters whose names suggest secrets. */
function listSecrets({ headers, url }: HttpStep): string[] {
  const values = Object.keys(headers).flatMap(name => (SAFE_HEADERS.has(name) ? [] : (headers[name] ?? '')))
  const parameters = [...new URL(url).searchParams].filter(([name]) => SECRET_PARAMETER.test(name))
  return [...values, ...parameters.map(([, value]) => value)]
}
