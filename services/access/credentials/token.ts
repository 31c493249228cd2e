import { createHmac, randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type { StoredKind } from '../../../domain/access/permissions.ts'

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const WORKSPACE_LENGTH = 22
const SECRET_BYTES = 32
const SECRET_LENGTH = 43
const CHECKSUM_LENGTH = 6
/** Length of the visible part of the secret. The hidden part has more than 200 bits of entropy. */
const SHOWN_LENGTH = 8

/** The token prefix for each kind of credential, which lets people and secret scanners recognize it. */
const LABELS: Record<StoredKind, string> = {
  api_key: 'gng',
  publishable_key: 'gnp',
  share_token: 'gnt',
  session: 'gns',
  sign_in_link: 'gnl',
  hook_token: 'gnh',
}
const KINDS = new Map(Object.entries(LABELS).map(([kind, label]) => [label, kind as StoredKind]))

const TOKEN = new RegExp(
  `^(gn[a-z])_([0-9A-Za-z]{${WORKSPACE_LENGTH}})_([0-9A-Za-z]{${SECRET_LENGTH}})_([0-9A-Za-z]{${CHECKSUM_LENGTH}})$`,
)

/** The parts of a token that are safe to display. */
export interface ParsedToken {
  kind: StoredKind
  workspace_id: string
  /** The start of the token, which is unique within the workspace: `gng_<workspace>_<8 characters>`. */
  prefix: string
}

/**
 * Creates a credential's token: `gng_<workspace>_<32 random bytes>_<checksum>`, all base62. The token contains the
 * workspace id, so a lookup reads only that workspace's rows.
 */
export function makeToken(kind: StoredKind, workspaceId: string): string {
  const workspace = formatBase62(Buffer.from(workspaceId.replaceAll('-', ''), 'hex'), WORKSPACE_LENGTH)
  const body = `${LABELS[kind]}_${workspace}_${formatBase62(randomBytes(SECRET_BYTES), SECRET_LENGTH)}`
  return `${body}_${computeChecksum(body)}`
}

/** Parses a token. Returns undefined for malformed text. The checksum detects typos without a lookup. */
export function parseToken(text: string): ParsedToken | undefined {
  const [, label = '', workspace, secret, checksum] = TOKEN.exec(text) ?? []
  const kind = KINDS.get(label)
  if (!kind || !workspace || !secret || checksum !== computeChecksum(`${label}_${workspace}_${secret}`))
    return undefined
  const hex = parseBase62(workspace).toString(16).padStart(32, '0')
  if (hex.length > 32) return undefined
  return {
    kind,
    workspace_id: hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5'),
    prefix: `${label}_${workspace}_${secret.slice(0, SHOWN_LENGTH)}`,
  }
}

/** Computes a token's HMAC. Tokens are stored only in this form. */
export const computeHmac = (token: string, secret: string): Buffer =>
  createHmac('sha256', secret).update(token).digest()

const computeChecksum = (body: string) =>
  formatBase62(Buffer.from(crc32(body).toString(16).padStart(8, '0'), 'hex'), CHECKSUM_LENGTH)

function formatBase62(bytes: Buffer, length: number): string {
  let rest = BigInt(`0x${bytes.toString('hex')}`)
  let text = ''
  for (; rest > 0n; rest /= 62n) text = DIGITS.charAt(Number(rest % 62n)) + text
  return text.padStart(length, '0')
}

function parseBase62(text: string): bigint {
  let sum = 0n
  for (const digit of text) sum = sum * 62n + BigInt(DIGITS.indexOf(digit))
  return sum
}
