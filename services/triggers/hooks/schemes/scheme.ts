import type { BinaryToTextEncoding } from 'node:crypto'
import type { SettingsOf, SignatureScheme } from '../../../../domain/triggers/hooks/signature.ts'
import { AuthRequired } from '../../../../domain/shared/errors.ts'
import type { JsonValue } from '../../../../domain/shared/json/json.ts'
import type { HookRequest } from '../receive.ts'

/** The content that the sender signed, according to the headers. */
export interface SignedMessage {
  /** The name of the signature header, used in messages. */
  header: string
  algorithm: 'sha256' | 'sha512' | 'sha1'
  /** The signed bytes, in parts. */
  content: (string | Buffer)[]
  /** At least one of the signatures must match. */
  signatures: Buffer[]
  /** The signed time in Unix seconds, with the name of the header that contains it. */
  signedAt?: { seconds: number; header: string; toleranceSeconds: number }
}

/** A signature scheme. To add a scheme, create a file here and add a line to `index.ts`. */
export interface Scheme<S extends SignatureScheme> {
  /**
   * Reads the signed content. Throws AuthRequired for missing or malformed headers. Returns undefined if nothing is
   * signed.
   */
  read(request: HookRequest, settings: SettingsOf<S>): SignedMessage | undefined
  /** Converts a secret to a key. Returns undefined if the scheme cannot use the secret. */
  toKey(secret: string): Buffer | undefined
  /** The requirement that secrets must meet, used in messages. */
  secretRule: string
  /**
   * Returns the id shared by all attempts at a delivery, if the signature covers it. Returns undefined if there is no
   * such id.
   */
  findDeliveryId(request: HookRequest, body: JsonValue, settings: SettingsOf<S>): string | undefined
  /** The form field that contains the message as JSON. */
  jsonField?: string
  /** Returns the response to a message that is not an event, such as a challenge. */
  answer?(body: JsonValue): JsonValue | undefined
}

export function requireHeader({ headers }: HookRequest, name: string): string {
  const value = headers[name]
  if (value === undefined || value === '') throw new AuthRequired(`The header ${name} is missing`)
  return value
}

/** Parses Unix seconds. Throws AuthRequired for invalid text. */
export function parseSeconds(text: string, header: string): number {
  if (!/^\d{1,12}$/.test(text)) throw new AuthRequired(`The time in ${header} must be in Unix seconds`)
  return Number(text)
}

/**
 * Lists the header's signatures that have the prefix. During a rotation, the header contains several signatures,
 * separated by spaces or commas.
 */
export const splitSignatures = (text: string, prefix: string): string[] =>
  prefix === ''
    ? text.split(/[\s,]+/)
    : text
        .split(prefix)
        .slice(1)
        .map(part => part.replace(/[\s,].*$/s, ''))

/** Decodes a signature. Malformed text yields bytes that never match. */
export const decode = (text: string, encoding: BinaryToTextEncoding): Buffer => Buffer.from(text, encoding)

const MIN_SECRET_CHARS = 8

/** Creates the key for a secret that is used as plain text. */
export const createTextKey = (secret: string): Buffer | undefined =>
  secret.length < MIN_SECRET_CHARS ? undefined : Buffer.from(secret)

export const TEXT_RULE = `must have at least ${MIN_SECRET_CHARS} characters`
