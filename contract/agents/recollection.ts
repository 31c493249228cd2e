import { z } from 'zod'
import { MAX_RECOLLECTION_CHARS } from '../../domain/resources/kinds/recollections.ts'
import { queryText } from '../../domain/shared/text/search-query.ts'
import { pageSchema, truncated } from '../shared/page.ts'
import { pageQuery } from '../shared/query.ts'
import { line } from '../shared/text.ts'
import { timestamp } from '../shared/time.ts'

const neuron = line().meta({ description: 'Id or slug of the neuron' })

export const recollectionParams = z.object({ id: line() })

export const recollectionsQuery = pageQuery.extend({ neuron: neuron.optional() })

export const recollectionBody = z.strictObject({
  neuron,
  text: z.string().max(MAX_RECOLLECTION_CHARS).regex(/\S/u, 'must not be empty'),
})

export const recollectionSearchBody = z.strictObject({
  neuron,
  query: queryText.meta({ description: 'Keywords or a question; the first 256 words are used' }),
  limit: z.int().min(1).max(200).default(20),
})

export const recollectionView = z
  .object({
    id: z.uuid(),
    text: z.string(),
    neuron_id: z.uuid(),
    /** Thread and job that the recollection comes from. Null if a person wrote it. */
    source: z.object({ trace_id: z.uuid(), job_id: z.string() }).nullable(),
    created_at: timestamp,
  })
  .meta({ id: 'Recollection' })
export type RecollectionView = z.output<typeof recollectionView>

export const recollectionPage = pageSchema(recollectionView)

export const recollectionMatches = z
  .object({
    /** Best match first. */
    recollections: z.array(z.object({ id: z.uuid(), text: z.string(), score: z.number() })),
    truncated,
  })
  .meta({ id: 'RecollectionMatches' })
export type RecollectionMatches = z.output<typeof recollectionMatches>
