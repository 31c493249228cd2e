export type ReadJson = { value: unknown; problem?: undefined } | { value?: undefined; problem: string }

/** Parses JSON. Returns the value or the problem. */
export function readJson(text: string): ReadJson {
  try {
    return { value: JSON.parse(text) as unknown }
  } catch (error) {
    return { problem: `Invalid JSON: ${(error as Error).message}` }
  }
}

/** Parses JSON. An empty text has no value. */
export const readOptionalJson = (text: string): ReadJson => (text.trim() === '' ? { value: undefined } : readJson(text))
