import type { BinaryToTextEncoding } from 'node:crypto'
import type { SettingsOf, SignatureScheme } from '../../../../domain/triggers/hooks/signature.ts'
import { AuthRequired } from '../../../../domain/shared/errors.ts'
import type { JsonValue } from '../../../../domain/shared/json/json.ts'
import type { HookRequest } from '../receive.ts'

/** What a sender has signed, as its headers say. */
export interface SignedMessage {
  /** The header with the signature, for messages. */
  header: string
  algorithm: 'sha256' | 'sha512' | 'sha1'
  /** The signed bytes, in parts. */
  content: (string | Buffer)[]
  /** One of them has to match. */
  signatures: Buffer[]
  /** The time that is signed, too: in Unix seconds, with the header that has it. */
  signedAt?: { seconds: number; header: string; toleranceSeconds: number }
}

/** A scheme of signatures. A new one is such a file and a line in `index.ts`. */
export interface Scheme<S extends SignatureScheme> {
  /** Reads what was signed. Throws AuthRequired for headers that are missing or malformed. Undefined: nothing is signed. */
  read(request: HookRequest, settings: SettingsOf<S>): SignedMessage | undefined
  /** The key of a secret. Undefined for a secret that the scheme cannot use. */
  toKey(secret: string): Buffer | undefined
  /** A rule for secrets, for messages. */
  secretRule: string
  /** Returns the id that all attempts at one delivery have, if the signature covers it. Undefined where there is none. */
  findDeliveryId(request: HookRequest, body: JsonValue, settings: SettingsOf<S>): string | undefined
  /** A field of form bodies that carries the message as JSON. */
  jsonField?: string
  /** Returns the response to a message that is not an event, such as a challenge. */
  answer?(body: JsonValue): JsonValue | undefined
}

export function requireHeader({ headers }: HookRequest, name: string): string {
  const value = headers[name]
  if (value === undefined || value === '') throw new AuthRequired(`The header ${name} is missing`)
  return value
}

/** Reads Unix seconds. Throws AuthRequired for another text. */
export function parseSeconds(text: string, header: string): number {
  if (!/^\d{1,12}$/.test(text)) throw new AuthRequired(`The time in ${header} must be in Unix seconds`)
  return Number(text)
}

/** Lists the signatures of a header with the prefix. There are several during a rotation, with spaces or commas between them. */
export const splitSignatures = (text: string, prefix: string): string[] =>
  prefix === ''
    ? text.split(/[\s,]+/)
    : text
        .split(prefix)
        .slice(1)
        .map(part => part.replace(/[\s,].*$/s, ''))

/** Decodes a signature. Text that is not in the encoding gives other bytes, which match nothing. */
export const decode = (text: string, encoding: BinaryToTextEncoding): Buffer => Buffer.from(text, encoding)

const MIN_SECRET_CHARS = 8

/** The key of a secret that is used as text. */
export const createTextKey = (secret: string): Buffer | undefined =>
  secret.length < MIN_SECRET_CHARS ? undefined : Buffer.from(secret)

export const TEXT_RULE = `must have at least ${MIN_SECRET_CHARS} characters`
