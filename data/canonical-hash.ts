import { createHash } from 'node:crypto'
import canonicalize from 'canonicalize'

/** Returns the SHA-256 (hex) of the canonical JSON (RFC 8785) of a value. Fields that are undefined are left out. */
export const hashCanonical = (value: unknown): string =>
  createHash('sha256')
    .update(canonicalize(value) ?? '')
    .digest('hex')
