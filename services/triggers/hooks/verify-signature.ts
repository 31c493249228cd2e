import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { AuthRequired } from '../../../domain/shared/errors.ts'
import type { SignatureSettings } from '../../../domain/triggers/hooks/signature.ts'
import type { JsonValue } from '../../../domain/shared/json/json.ts'
import { findScheme } from './schemes/index.ts'
import type { SignedMessage } from './schemes/scheme.ts'
import type { HookRequest } from './receive.ts'

/** A request with a valid signature. */
export interface VerifiedRequest {
  /** Undefined if the scheme has no signatures. */
  signed?: SignedMessage
}

/**
 * Verifies a request's signature and the signed time. One of the secrets must match, because there are two during a
 * rotation. Throws AuthRequired with a message that names the header.
 */
export function verifySignature(
  request: HookRequest,
  settings: SignatureSettings,
  { secrets, now }: { secrets: string[]; now: Date },
): VerifiedRequest {
  const scheme = findScheme(settings)
  if (settings.scheme === 'none') return {}
  const keys = secrets.flatMap(secret => scheme.toKey(secret) ?? [])
  if (keys.length === 0) throw new AuthRequired('The hook has no signing secret yet, so it rejects all requests')
  const signed = scheme.read(request, settings)
  if (!signed || !keys.some(key => matches(signed, key)))
    throw new AuthRequired(`The signature in ${signed?.header} does not match the body and the secret`)
  checkTime(signed, now)
  return { signed }
}

/** Compares signatures of the correct length in constant time. */
function matches({ algorithm, content, signatures }: SignedMessage, key: Buffer): boolean {
  const mac = createHmac(algorithm, key)
  for (const part of content) mac.update(part)
  const expected = mac.digest()
  return signatures.some(candidate => candidate.length === expected.length && timingSafeEqual(candidate, expected))
}

/** Throws AuthRequired for a message whose signed time is too far in the past or future. */
function checkTime({ signedAt }: SignedMessage, now: Date): void {
  if (!signedAt) return
  const { seconds, header, toleranceSeconds } = signedAt
  const age = Math.floor(now.getTime() / 1_000) - seconds
  if (Math.abs(age) <= toleranceSeconds) return
  const distance = `${Math.abs(age)} seconds in the ${age > 0 ? 'past' : 'future'}`
  throw new AuthRequired(`The time in ${header} is ${distance}; the maximum is ${toleranceSeconds} seconds`)
}

/** Longer ids are replaced by their hash. */
const MAX_ID_CHARS = 200

/**
 * Returns a key shared by all copies of a delivery: the delivery's id if the signature covers it, otherwise all
 * signed content. Returns undefined if nothing is signed and the sender provides no id.
 */
export function findDeliveryKey(
  request: HookRequest,
  settings: SignatureSettings,
  { body, signed }: VerifiedRequest & { body: JsonValue },
): string | undefined {
  const id = findScheme(settings).findDeliveryId(request, body, settings)
  if (id !== undefined && id !== '') return isShortText(id) ? id : hash([id])
  return signed && hash(signed.content)
}

/** Returns the key for the value that identifies copies of a delivery. */
export const buildValueKey = (value: string): string => `value:${isShortText(value) ? value : hash([value])}`

const isShortText = (text: string) => text.length <= MAX_ID_CHARS && /^[\x20-\x7e]+$/.test(text)

function hash(parts: (string | Buffer)[]): string {
  const sha256 = createHash('sha256')
  for (const part of parts) sha256.update(part)
  return `sha256:${sha256.digest('base64url')}`
}
