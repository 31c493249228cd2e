/** Canonical JSON (RFC 8785): names sorted by code unit, without whitespace. */
export function writeCanonical(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  if (Array.isArray(value)) return `[${value.map(writeCanonical).join(',')}]`
  const entries = Object.entries(value)
    .filter(([, each]) => each !== undefined)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
  return `{${entries.map(([name, each]) => `${JSON.stringify(name)}:${writeCanonical(each)}`).join(',')}}`
}

/** Returns the SHA-256 of the canonical JSON, in hex. */
export async function hashCanonical(value: unknown): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(writeCanonical(value)))
  return Array.from(new Uint8Array(digest), byte => byte.toString(16).padStart(2, '0')).join('')
}
