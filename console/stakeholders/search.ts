import { createSearchReader, readText, readVersion } from '../shared/parts/search.ts'

/** What the address of a map holds: the version, the version to which changes are marked, and the chosen person. */
export const readMapSearch = createSearchReader({ version: readVersion, since: readVersion, person: readText })
