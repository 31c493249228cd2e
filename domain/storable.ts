/** Whether Postgres can store the text. */
export const isStorable = (text: string): boolean => !text.includes('\u0000') && text.isWellFormed()

/** Whether Postgres can store all texts of a JSON value, its keys included. */
export function isDeeplyStorable(value: unknown): boolean {
  if (typeof value === 'string') return isStorable(value)
  if (typeof value !== 'object' || value === null) return true
  return Object.entries(value).every(([key, inner]) => isStorable(key) && isDeeplyStorable(inner))
}

export const UNSTORABLE = 'must not contain U+0000 or an unpaired surrogate'
