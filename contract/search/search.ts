import { z } from 'zod'
import { KIND_NAMES } from '../../domain/resources/kinds/index.ts'
import { folderPath, kindName } from '../../domain/resources/names.ts'
import { queryText } from '../../domain/shared/text/search-query.ts'
import { truncated } from '../shared/page.ts'
import { commaList, offset, queryNumber, queryNumberOr, versionNumber } from '../shared/query.ts'
import { line } from '../shared/text.ts'
import { moment } from '../shared/time.ts'

const query = queryText.meta({ description: 'Keywords or a question; the first 256 words are used' })

const mode = z.enum(['hybrid', 'keyword', 'semantic']).default('hybrid')

const ABOUT_VERSIONS = {
  description:
    'Versions to search: `head` (latest versions), `all`, or a version number. Values other than `head` work only for stakeholder maps, and `types` then defaults to stakeholder maps.',
}
const WHICH = z.enum(['head', 'all'])
const NOT_A_VERSION = { error: 'must be head, all or a version number' }
const versions = z
  .union([WHICH, z.int().min(1).max(2_147_483_647)], NOT_A_VERSION)
  .default('head')
  .meta(ABOUT_VERSIONS)

const MAX_FILTERS = 20

const filters = z.strictObject({
  path_prefix: folderPath.optional().meta({ description: 'Folder to search, including its subfolders' }),
  created_after: moment.optional(),
  created_before: moment.optional(),
  metadata: z
    .record(line(100), z.union([z.string().max(1_000), z.number(), z.boolean()]))
    .refine(values => Object.keys(values).length <= MAX_FILTERS, `must have at most ${MAX_FILTERS} entries`)
    .optional()
    .meta({ description: 'All filters must match', maxProperties: MAX_FILTERS }),
})

const limit = z.int().min(1).max(200).default(20)

const minScore = z.number().min(0).max(1)
const ABOUT_MIN_SCORE =
  'Minimum cosine similarity (the `score` in a semantic search) for matches without a keyword. The remaining matches keep their order.'

export const searchBody = z.strictObject({
  query,
  mode,
  min_score: minScore.optional().meta({ description: ABOUT_MIN_SCORE }),
  types: z.array(kindName).min(1).max(50).optional(),
  versions,
  filters: filters.optional(),
  limit,
  offset: z.int().min(0).max(1_000_000_000).default(0),
})

/** A search request. `versions` defaults to head. */
export type SearchRequest = Omit<z.output<typeof searchBody>, 'versions'> &
  Partial<Pick<z.output<typeof searchBody>, 'versions'>>

/** The same fields as query parameters, with types separated by commas. */
export const searchQuery = z.object({
  query,
  mode,
  min_score: queryNumber(minScore).optional().meta({ description: ABOUT_MIN_SCORE }),
  types: commaList(kindName, { enum: KIND_NAMES }).optional(),
  versions: z.union([WHICH, versionNumber], NOT_A_VERSION).default('head').meta(ABOUT_VERSIONS),
  path_prefix: filters.shape.path_prefix,
  limit: queryNumberOr(z.int().min(1).max(200), 20),
  offset,
})

const match = z.object({
  resource_id: z.uuid(),
  type: z.string(),
  slug: z.string(),
  title: z.string(),
  path: z.string(),
  version: z.int().meta({
    description:
      'Version that contains the chunk. In a search across all versions: the first version that contains the chunk.',
  }),
  last_version: z.int().nullable().optional().meta({
    description:
      'In a search across all versions: the last version that contains the chunk. Null if the latest version contains it.',
  }),
  media_type: z.string().nullable().meta({ description: 'Only for assets' }),
  metadata: z.looseObject({}).meta({ description: 'Values that you can filter by with `filters.metadata`' }),
  chunk: z
    .object({
      id: z.string().meta({ description: 'Unique id of the chunk: `<resource_id>:<version>:<ordinal>`' }),
      ordinal: z.int(),
      heading: z.string().nullable(),
      text: z.string(),
      highlight: z.string(),
      page: z.int().nullable().meta({ description: 'PDF page where the chunk starts, from 1' }),
    })
    .nullable()
    .meta({ description: 'Best-matching chunk. The highlight is escaped HTML with <mark> elements.' }),
  score: z.number().meta({
    description:
      'Cosine similarity in a semantic search. In any other search: 1 divided by the rank among all matches.',
  }),
  ranks: z.object({ keyword: z.int().nullable(), semantic: z.int().nullable() }),
})

/** A search match, as the API returns it. */
export type MatchView = z.output<typeof match>

export const searchReply = z
  .object({
    matches: z.array(match),
    mode: z.enum(['hybrid', 'keyword', 'semantic']),
    took_ms: z.number(),
    truncated,
  })
  .meta({ id: 'SearchReply' })

export type SearchReply = z.output<typeof searchReply>
