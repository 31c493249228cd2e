/** Returns the value with sorted object keys, so that values can be compared. */
export function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, part]) => [key, sortKeys(part)]),
  )
}

/** Whether two JSON values are equal. A missing value equals null. */
export const isSame = (a: unknown, b: unknown): boolean =>
  JSON.stringify(sortKeys(a ?? null)) === JSON.stringify(sortKeys(b ?? null))
