import { createSearchReader, readText, readVersion } from '../shared/parts/search.ts'

/** Search parameters of a map page: the version, the version to compare with, and the selected person. */
export const readMapSearch = createSearchReader({ version: readVersion, since: readVersion, person: readText })
