export type ReadJson = { value: unknown; problem?: undefined } | { value?: undefined; problem: string }

/** The value of a text in JSON, or why it is none. */
export function readJson(text: string): ReadJson {
  try {
    return { value: JSON.parse(text) as unknown }
  } catch (error) {
    return { problem: `This is no JSON: ${(error as Error).message}` }
  }
}

/** The same, where a text may be empty: it has no value then. */
export const readOptionalJson = (text: string): ReadJson => (text.trim() === '' ? { value: undefined } : readJson(text))
