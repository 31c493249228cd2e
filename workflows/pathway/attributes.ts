import { defineSearchAttributeKey, type SearchAttributePair } from '@temporalio/common'

const PATHWAY = defineSearchAttributeKey('GanglionPathway', 'KEYWORD')
const VERSION = defineSearchAttributeKey('GanglionPathwayVersion', 'KEYWORD')

/** What a run of a pathway starts with beside the attributes of all runs. */
export const pathwayAttributes = ({
  slug,
  version,
}: {
  slug: string
  version: number | null
}): SearchAttributePair[] => [
  { key: PATHWAY, value: slug },
  { key: VERSION, value: version === null ? 'inline' : String(version) },
]
