import { GanglionError } from './errors.ts'
import type { WebhookEvent } from './types.ts'

/**
 * The delivery's signature is invalid, or its timestamp is outside the tolerance. Respond with 400 and ignore the
 * delivery.
 */
export class WebhookSignatureError extends GanglionError {}

export interface WebhookRequest {
  /** Webhook secret, `whsec_...`. Pass both secrets during a rotation. */
  secret: string | string[]
  /** Request headers: `Headers`, or an object with lower-case names as in Node. */
  headers: Headers | Record<string, string | string[] | undefined>
  /** Request body as received, before parsing. */
  body: string | Uint8Array
  /** Maximum difference between the delivery's timestamp and the local clock, in seconds. Default: 300. */
  tolerance?: number
}

const PREFIX = 'whsec_'
const DEFAULT_TOLERANCE_SECONDS = 300

/**
 * Verifies a delivery's signature (Standard Webhooks, HMAC-SHA256 over id, timestamp and body) and parses the
 * delivery. Deliveries may arrive more than once; `webhook-id` is the same for each attempt. Throws
 * WebhookSignatureError.
 */
export async function verifyWebhook(request: WebhookRequest): Promise<WebhookEvent> {
  const { headers, tolerance = DEFAULT_TOLERANCE_SECONDS } = request
  const id = readHeader(headers, 'webhook-id')
  const time = readHeader(headers, 'webhook-timestamp')
  const signatures = readHeader(headers, 'webhook-signature')
  if (!(Math.abs(Date.now() / 1000 - Number(time)) <= tolerance))
    throw new WebhookSignatureError("The delivery's timestamp is outside the tolerance")
  const body = typeof request.body === 'string' ? request.body : new TextDecoder().decode(request.body)
  const signed = new TextEncoder().encode(`${id}.${time}.${body}`)
  for (const secret of [request.secret].flat())
    for (const signature of signatures.split(' '))
      if (await isSignedBy(secret, signature, signed)) return JSON.parse(body) as WebhookEvent
  throw new WebhookSignatureError('The delivery has no valid signature')
}

function readHeader(headers: WebhookRequest['headers'], name: string): string {
  const value = headers instanceof Headers ? headers.get(name) : [headers[name]].flat()[0]
  if (!value) throw new WebhookSignatureError(`The header ${name} is missing`)
  return value
}

/** WebCrypto compares every signature in constant time. */
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
    throw new WebhookSignatureError('A secret or signature is not valid Base64', { cause })
  }
}
