/** What the address of a pathway holds: an earlier version, the version that it is compared with, and the chosen node. */
export interface PathwaySearch {
  version?: number
  against?: number
  node?: string
}

export function readPathwaySearch({ version, against, node }: Record<string, unknown>): PathwaySearch {
  return {
    ...(isVersion(version) && { version }),
    ...(isVersion(against) && { against }),
    ...(typeof node === 'string' && { node }),
  }
}

const isVersion = (value: unknown): value is number => Number.isInteger(value) && Number(value) > 0
