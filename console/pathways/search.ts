/** What the address of a pathway holds: an earlier version, and the chosen node. */
export interface PathwaySearch {
  version?: number
  node?: string
}

export function readPathwaySearch(search: Record<string, unknown>): PathwaySearch {
  const version = Number(search['version'])
  const node = search['node']
  return {
    ...(Number.isInteger(version) && version > 0 && { version }),
    ...(typeof node === 'string' && { node }),
  }
}
