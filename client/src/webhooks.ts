import { GanglionError } from './errors.ts'
import type { WebhookEvent } from './types.ts'

/** A delivery whose signature does not hold, or whose time is too far away. Respond with 400 and do not act on it. */
export class WebhookSignatureError extends GanglionError {}

export interface WebhookRequest {
  /** The secret of the webhook, `whsec_...`. Several during a rotation. */
  secret: string | string[]
  /** The headers of the request: `Headers`, or an object with lower-case names as in Node. */
  headers: Headers | Record<string, string | string[] | undefined>
  /** The body as it was received, before it is parsed. */
  body: string | Uint8Array
  /** Accepted difference of the clocks, in seconds. Default: 300. */
  tolerance?: number
}

const PREFIX = 'whsec_'
const DEFAULT_TOLERANCE_SECONDS = 300

/**
 * Checks the signature of a delivery (Standard Webhooks, HMAC-SHA256 over id, time and body) and parses it. Deliveries may
 * come more than once: `webhook-id` is the same for each attempt. Throws WebhookSignatureError.
 */
export async function verifyWebhook(request: WebhookRequest): Promise<WebhookEvent> {
  const { headers, tolerance = DEFAULT_TOLERANCE_SECONDS } = request
  const id = readHeader(headers, 'webhook-id')
  const time = readHeader(headers, 'webhook-timestamp')
  const signatures = readHeader(headers, 'webhook-signature')
  if (!(Math.abs(Date.now() / 1000 - Number(time)) <= tolerance))
    throw new WebhookSignatureError('The time of the delivery is too far away')
  const body = typeof request.body === 'string' ? request.body : new TextDecoder().decode(request.body)
  const signed = new TextEncoder().encode(`${id}.${time}.${body}`)
  for (const secret of [request.secret].flat())
    for (const signature of signatures.split(' '))
      if (await isSignedBy(secret, signature, signed)) return JSON.parse(body) as WebhookEvent
  throw new WebhookSignatureError('No signature of the delivery holds')
}

function readHeader(headers: WebhookRequest['headers'], name: string): string {
  const value = headers instanceof Headers ? headers.get(name) : [headers[name]].flat()[0]
  if (!value) throw new WebhookSignatureError(`The header ${name} is missing`)
  return value
}

/** The comparison of WebCrypto takes the same time for every signature. */
async function isSignedBy(secret: string, signature: string, signed: Uint8Array<ArrayBuffer>): Promise<boolean> {
  const [version, text = ''] = signature.split(',')
  if (version !== 'v1') return false
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const key = await crypto.subtle.importKey('raw', decode(secret.replace(PREFIX, '')), algorithm, false, ['verify'])
  return crypto.subtle.verify('HMAC', key, decode(text), signed)
}

function decode(base64: string): Uint8Array<ArrayBuffer> {
  try {
    return Uint8Array.from(atob(base64), character => character.charCodeAt(0))
  } catch (cause) {
    throw new WebhookSignatureError('A secret or signature is not base64', { cause })
  }
}
