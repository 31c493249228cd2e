import { z } from 'zod'
import { MAX_RECOLLECTION_CHARS } from '../../../../domain/resources/kinds/recollections.ts'
import { queryText } from '../../../../domain/shared/text/search-query.ts'
import type { Recalled, RecollectionView } from '../../../../services/agents/recollections.ts'
import { pageSchema, truncated } from '../../../../contract/shared/page.ts'
import { pageQuery } from '../../../../contract/shared/query.ts'
import { line } from '../../../../contract/shared/text.ts'
import { timestamp } from '../../../../contract/shared/time.ts'

const neuron = line().meta({ description: 'Id or slug of the neuron' })

export const params = z.object({ id: line() })
export const listQuery = pageQuery.extend({ neuron: neuron.optional() })
export const createBody = z.strictObject({
  neuron,
  text: z.string().max(MAX_RECOLLECTION_CHARS).regex(/\S/u, 'must not be empty'),
})
export const searchBody = z.strictObject({
  neuron,
  query: queryText.meta({ description: 'Keywords or a question; the first 256 words are used' }),
  limit: z.int().min(1).max(200).default(20),
})

export const recollection = z
  .object({
    id: z.uuid(),
    text: z.string(),
    neuron_id: z.uuid(),
    source: z.object({ trace_id: z.uuid(), job_id: z.string() }).nullable(),
    created_at: timestamp,
  })
  .meta({ id: 'Recollection' }) satisfies z.ZodType<RecollectionView>

export const recollectionPage = pageSchema(recollection)
export const found = z
  .object({
    recollections: z.array(z.object({ id: z.uuid(), text: z.string(), score: z.number() })),
    truncated,
  })
  .meta({ id: 'RecollectionMatches' }) satisfies z.ZodType<Recalled>
