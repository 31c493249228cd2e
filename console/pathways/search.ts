import { createSearchReader, readText, readVersion } from '../shared/parts/search.ts'

/** What the address of a pathway holds: an earlier version, the version that it is compared with, and the chosen node. */
export const readPathwaySearch = createSearchReader({ version: readVersion, against: readVersion, node: readText })
