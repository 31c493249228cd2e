/** What the address of a map holds: the version, the version to which changes are marked, and the chosen person. */
export interface MapSearch {
  version?: number
  since?: number
  person?: string
}

export function readMapSearch({ version, since, person }: Record<string, unknown>): MapSearch {
  return {
    ...(isVersion(version) && { version: Number(version) }),
    ...(isVersion(since) && { since: Number(since) }),
    ...((typeof person === 'number' || typeof person === 'string') && { person: `${person}` }),
  }
}

const isVersion = (value: unknown): boolean => Number.isInteger(Number(value)) && Number(value) > 0
