/** Returns the alias of searches and live writes. */
export const buildAlias = (prefix: string): string => `${prefix}-resources`

/**
 * Returns the alias of writes to an index under construction. Elasticsearch rejects a write to a missing alias, so a
 * write after the index was dropped does not create an index with a guessed mapping.
 */
export const buildWriteAlias = (index: string): string => `${index}-write`

/** Returns the n-th index name of a time. */
export function buildIndexName(prefix: string, at: Date, n: number): string {
  const timestamp = at.toISOString().replaceAll(/\D/g, '').slice(0, 14)
  return `${buildAlias(prefix)}-${timestamp}-${n}`
}

/** Returns true for a name made by `buildIndexName`. */
export function isIndexName(prefix: string, name: string): boolean {
  const start = `${buildAlias(prefix)}-`
  return name.startsWith(start) && /^\d{14}-\d+$/.test(name.slice(start.length))
}
