import { defineSearchAttributeKey, type SearchAttributePair } from '@temporalio/common'

const PATHWAY = defineSearchAttributeKey('GanglionPathway', 'KEYWORD')
const VERSION = defineSearchAttributeKey('GanglionPathwayVersion', 'KEYWORD')

/** Builds the further search attributes that a run of a pathway starts with. */
export const buildPathwayAttributes = ({
  slug,
  version,
}: {
  slug: string
  version: number | null
}): SearchAttributePair[] => [
  { key: PATHWAY, value: slug },
  { key: VERSION, value: version === null ? 'inline' : String(version) },
]
