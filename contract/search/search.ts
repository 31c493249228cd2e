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
    'Where to look: in the latest versions (`head`), in all versions, or in those of a number. Other than `head` only for stakeholder maps, which are then the default of `types`.',
}
const WHICH = z.enum(['head', 'all'])
const NOT_A_VERSION = { error: 'must be head, all or a version number' }
const versions = z
  .union([WHICH, z.int().min(1).max(2_147_483_647)], NOT_A_VERSION)
  .default('head')
  .meta(ABOUT_VERSIONS)

const MAX_FILTERS = 20

const filters = z.strictObject({
  path_prefix: folderPath.optional().meta({ description: 'A folder; includes the folders below it' }),
  created_after: moment.optional(),
  created_before: moment.optional(),
  metadata: z
    .record(line(100), z.union([z.string().max(1_000), z.number(), z.boolean()]))
    .refine(values => Object.keys(values).length <= MAX_FILTERS, `must have at most ${MAX_FILTERS} entries`)
    .optional()
    .meta({ description: 'All filters must match', maxProperties: MAX_FILTERS }),
})

export type SearchFilters = z.output<typeof filters>

const limit = z.int().min(1).max(200).default(20)

const minScore = z.number().min(0).max(1)
const ABOUT_MIN_SCORE =
  'The least cosine (the `score` of a semantic search) of a match without a keyword. The order of the others does not change.'

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

/** A search. Default of `versions`: head. */
export type SearchRequest = Omit<z.output<typeof searchBody>, 'versions'> &
  Partial<Pick<z.output<typeof searchBody>, 'versions'>>

/** The same fields in a query string. Types are separated by commas. */
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
  version: z
    .int()
    .meta({ description: 'The version that the chunk is from; in a search of all versions the first that has it' }),
  last_version: z
    .int()
    .nullable()
    .optional()
    .meta({ description: 'In a search of versions: the last version that has the chunk; null if the latest has it' }),
  media_type: z.string().nullable().meta({ description: 'Of an asset' }),
  metadata: z.looseObject({}).meta({ description: 'The values that `filters.metadata` compares' }),
  chunk: z
    .object({
      id: z.string().meta({ description: 'Unique to the chunk: `<resource_id>:<version>:<ordinal>`' }),
      ordinal: z.int(),
      heading: z.string().nullable(),
      text: z.string(),
      highlight: z.string(),
      page: z.int().nullable().meta({ description: 'The page of a PDF on which the chunk begins, from 1' }),
    })
    .nullable()
    .meta({ description: 'The best matching chunk; the highlight is escaped HTML with <mark>' }),
  score: z.number().meta({
    description: 'Of a semantic search: the cosine. Otherwise: 1 divided by the rank among all matches.',
  }),
  ranks: z.object({ keyword: z.int().nullable(), semantic: z.int().nullable() }),
})

/** A match as the API shows it. */
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
