import { createSearchReader, oneOf, readText, readVersion } from '../shared/parts/search.ts'

export const MODES = { hybrid: 'Words and meaning', keyword: 'Words', semantic: 'Meaning' } as const
export type Mode = keyof typeof MODES

/**
 * Search parameters of the documents page: the query, the selected document (`assets:<id>`) or folder, and its
 * version.
 */
export const readDocumentsSearch = createSearchReader({
  q: readText,
  mode: oneOf(MODES),
  at: readText,
  version: readVersion,
})
