/** Returns the alias of searches and live writes. */
export const toAlias = (prefix: string): string => `${prefix}-resources`

/**
 * Returns the alias of writes to an index under construction. Elasticsearch rejects a write to a missing alias, so a
 * write after the index was dropped does not create an index with a guessed mapping.
 */
export const toWriteAlias = (index: string): string => `${index}-write`

/** Returns the n-th index name of a time. */
export function toIndexName(prefix: string, at: Date, n: number): string {
  const timestamp = at.toISOString().replaceAll(/\D/g, '').slice(0, 14)
  return `${toAlias(prefix)}-${timestamp}-${n}`
}

/** Returns true for a name made by `toIndexName`. */
export function isIndexName(prefix: string, name: string): boolean {
  const start = `${toAlias(prefix)}-`
  return name.startsWith(start) && /^\d{14}-\d+$/.test(name.slice(start.length))
}
