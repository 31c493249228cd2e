import canonicalize from 'canonicalize'

/**
 * Writes a value as canonical JSON (RFC 8785), omitting undefined fields. Malformed text has no canonical form; the
 * value is then written in key order, so that it can still be hashed and compared.
 */
export function writeCanonical(value: unknown): string {
  try {
    return canonicalize(value) ?? ''
  } catch {
    return JSON.stringify(value)
  }
}
