/** A header's name, as HTTP/2 has it. */
export const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9a-zA-Z-]{1,100}$/

/** What may follow a redirect to another origin; anything else could be a credential under some name. */
export const SAFE_HEADERS: ReadonlySet<string> = new Set([
  'accept',
  'accept-encoding',
  'accept-language',
  'content-type',
  'idempotency-key',
  'user-agent',
])

export const isSafeToForward = (header: string): boolean => SAFE_HEADERS.has(header.toLowerCase())
