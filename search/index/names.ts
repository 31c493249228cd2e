/** The name that searches and live writes go by. */
export const toAlias = (prefix: string): string => `${prefix}-resources`

/**
 * The name that writes to an index under construction go by. A write to a name that is no alias is refused, so one
 * that comes after the index was dropped does not make a new one with a mapping of Elasticsearch's own guess.
 */
export const toWriteAlias = (index: string): string => `${index}-write`

/** The n-th name of a moment. */
export function toIndexName(prefix: string, at: Date, n: number): string {
  const timestamp = at.toISOString().replaceAll(/\D/g, '').slice(0, 14)
  return `${toAlias(prefix)}-${timestamp}-${n}`
}

/** True for what `indexName` gives. */
export function isIndexName(prefix: string, name: string): boolean {
  const start = `${toAlias(prefix)}-`
  return name.startsWith(start) && /^\d{14}-\d+$/.test(name.slice(start.length))
}
