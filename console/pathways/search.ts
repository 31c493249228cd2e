import { createSearchReader, readText, readVersion } from '../shared/parts/search.ts'

/** Search parameters of a pathway page: the version, the version to compare with, and the selected node. */
export const readPathwaySearch = createSearchReader({ version: readVersion, against: readVersion, node: readText })
