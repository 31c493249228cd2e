import { StepError } from '../../../domain/runs/step-error.ts'

export const badRequestError = (why: string): StepError => new StepError('BAD_REQUEST', why)

export const blockedAddressError = (host: string): StepError =>
  new StepError(
    'BLOCKED_ADDRESS',
    `${host} is a private address that is not in OUTBOUND_ALLOW, or a component of this installation`,
  )

export const hostNotAllowedError = (host: string): StepError =>
  new StepError('HOST_NOT_ALLOWED', `${host} is not in the neuron's allowed_hosts`)

export const responseTooLargeError = (host: string, maxBytes: number): StepError =>
  new StepError('RESPONSE_TOO_LARGE', `The response from ${host} is larger than ${maxBytes} bytes`, {
    retryable: false,
    mayHaveArrived: true,
  })

export const tooManyRedirectsError = (host: string, max: number): StepError =>
  new StepError('TOO_MANY_REDIRECTS', `${host} redirected more than ${max} times`)

export const outboundTimeoutError = (host: string, ms: number): StepError =>
  new StepError('OUTBOUND_TIMEOUT', `${host} did not respond completely within ${ms} ms`, {
    retryable: true,
    mayHaveArrived: true,
  })

/** Codes of errors that occur before a request is sent. */
const NOT_CONNECTED = new Set([
  'EAI_AGAIN',
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'UND_ERR_CONNECT_TIMEOUT',
])

/** Quotes the error's code, such as `ECONNREFUSED`, but never its message, which may quote the request. */
export function connectionError(host: string, cause: unknown): StepError {
  const code = typeof cause === 'object' && cause && 'code' in cause && typeof cause.code === 'string' ? cause.code : ''
  return new StepError('CONNECTION_FAILED', `The request to ${host} failed${code && ` (${code})`}`, {
    retryable: true,
    mayHaveArrived: !NOT_CONNECTED.has(code),
    cause,
  })
}
