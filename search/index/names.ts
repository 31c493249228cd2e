/** Returns the alias that is used for searches and live writes. */
export const buildAlias = (prefix: string): string => `${prefix}-resources`

/**
 * Returns the alias for writes to an index under construction. Elasticsearch rejects writes to a missing alias. A
 * write after the index was dropped therefore cannot create an index with a guessed mapping.
 */
export const buildWriteAlias = (index: string): string => `${index}-write`

/** Returns the name of the n-th index that is created at this time. */
export function buildIndexName(prefix: string, at: Date, n: number): string {
  const timestamp = at.toISOString().replaceAll(/\D/g, '').slice(0, 14)
  return `${buildAlias(prefix)}-${timestamp}-${n}`
}

/** Returns true for names created by `buildIndexName`. */
export function isIndexName(prefix: string, name: string): boolean {
  const start = `${buildAlias(prefix)}-`
  return name.startsWith(start) && /^\d{14}-\d+$/.test(name.slice(start.length))
}
