export const MODES = { hybrid: 'Words and meaning', keyword: 'Words', semantic: 'Meaning' } as const
export type Mode = keyof typeof MODES

/** What the address of the documents holds: the search, the chosen document (`assets:<id>`) or folder, and its version. */
export interface DocumentsSearch {
  q?: string
  mode?: Mode
  at?: string
  version?: number
}

export function readDocumentsSearch({ q, mode, at, version }: Record<string, unknown>): DocumentsSearch {
  const known = Object.keys(MODES).find(one => one === mode && one !== 'hybrid') as Mode | undefined
  const number = Number(version)
  return {
    ...((typeof q === 'number' || (typeof q === 'string' && q !== '')) && { q: `${q}` }),
    ...(known && { mode: known }),
    ...(typeof at === 'string' && at !== '' && { at }),
    ...(Number.isInteger(number) && number > 0 && { version: number }),
  }
}
