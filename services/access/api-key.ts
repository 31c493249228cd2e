import { createHmac, randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const WORKSPACE_LENGTH = 22
const SECRET_BYTES = 32
const SECRET_LENGTH = 43
const CHECKSUM_LENGTH = 6
/** Length of the visible part of the secret. The hidden part has more than 200 bits. */
const SHOWN_LENGTH = 8

const KEY = new RegExp(
  `^gng_([0-9A-Za-z]{${WORKSPACE_LENGTH}})_([0-9A-Za-z]{${SECRET_LENGTH}})_([0-9A-Za-z]{${CHECKSUM_LENGTH}})$`,
)

/** The parts of an API key that may be unknown. */
export interface ParsedKey {
  workspace_id: string
  /** The start of the key, unique in its workspace: `gng_<workspace>_<8 characters>`. */
  prefix: string
}

/**
 * Makes an API key: `gng_<workspace>_<32 random bytes>_<checksum>`, all base62. The workspace is part of it, so a
 * look-up sees only that workspace's rows.
 */
export function makeApiKey(workspaceId: string): string {
  const workspace = formatBase62(Buffer.from(workspaceId.replaceAll('-', ''), 'hex'), WORKSPACE_LENGTH)
  const body = `gng_${workspace}_${formatBase62(randomBytes(SECRET_BYTES), SECRET_LENGTH)}`
  return `${body}_${computeChecksum(body)}`
}

/** Parses a key. Undefined for a text of another form; the checksum detects typing errors without a look-up. */
export function parseApiKey(text: string): ParsedKey | undefined {
  const [, workspace, secret, checksum] = KEY.exec(text) ?? []
  if (!workspace || !secret || checksum !== computeChecksum(`gng_${workspace}_${secret}`)) return undefined
  const hex = parseBase62(workspace).toString(16).padStart(32, '0')
  if (hex.length > 32) return undefined
  return {
    workspace_id: hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5'),
    prefix: `gng_${workspace}_${secret.slice(0, SHOWN_LENGTH)}`,
  }
}

/** The only form in which a key is stored. */
export const computeHmac = (key: string, secret: string): Buffer => createHmac('sha256', secret).update(key).digest()

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
