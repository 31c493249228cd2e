import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import canonicalize from 'canonicalize'

/** Returns the SHA-256 (hex) of the canonical JSON (RFC 8785) of a value. It runs in workflows, without Node's crypto. */
export const hashJson = (value: unknown): string => bytesToHex(sha256(utf8ToBytes(write(value))))

/** Canonical JSON does not exist for text that is not well-formed. */
function write(value: unknown): string {
  try {
    return canonicalize(value) ?? ''
  } catch {
    return JSON.stringify(value)
  }
}
