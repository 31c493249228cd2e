/** Pattern of a header name: an HTTP token with at most 100 characters. */
export const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9a-zA-Z-]{1,100}$/

/** Headers that are forwarded on a redirect to another origin. Any other header may contain a credential. */
export const SAFE_HEADERS: ReadonlySet<string> = new Set([
  'accept',
  'accept-encoding',
  'accept-language',
  'content-type',
  'idempotency-key',
  'user-agent',
])

export const isSafeToForward = (header: string): boolean => SAFE_HEADERS.has(header.toLowerCase())
