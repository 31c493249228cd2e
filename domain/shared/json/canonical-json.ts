import canonicalize from 'canonicalize'

/**
 * Writes a value as canonical JSON (RFC 8785), without fields that are undefined. Text that is not well-formed has none: the
 * value is then written in the order of its keys, so that it can still be hashed and compared.
 */
export function writeCanonical(value: unknown): string {
  try {
    return canonicalize(value) ?? ''
  } catch {
    return JSON.stringify(value)
  }
}
