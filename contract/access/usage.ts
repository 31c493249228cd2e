import { z } from 'zod'
import { USAGE_GROUPS } from '../../domain/access/usage.ts'
import { pagination } from '../shared/page.ts'
import { limit, offset } from '../shared/query.ts'
import { moment, timestamp } from '../shared/time.ts'
import { planReport } from './plan.ts'

export const usageQuery = z.object({
  from: moment.optional().meta({ description: 'Start time. Default: the beginning of the current month (UTC).' }),
  to: moment.optional().meta({ description: 'End time, exclusive. Default: now.' }),
  group_by: z.enum(USAGE_GROUPS).default('day'),
  limit,
  offset,
})

export type UsageRequest = z.output<typeof usageQuery>

const sums = {
  calls: z.int(),
  input_tokens: z.int(),
  output_tokens: z.int(),
  cached_input_tokens: z.int(),
  audio_seconds: z.number(),
  usd: z.number(),
}

export const usageReport = z
  .object({
    from: timestamp,
    to: timestamp,
    group_by: z.enum(USAGE_GROUPS),
    data: z.array(
      z.object({
        group: z
          .string()
          .nullable()
          .meta({ description: 'The day (UTC), the name or the id of the group; null if there is none' }),
        slug: z.string().nullable().meta({ description: 'The slug of the neuron or pathway of the group' }),
        ...sums,
      }),
    ),
    total: z.object(sums),
    plan: planReport,
    pagination,
  })
  .meta({ id: 'Usage' })

/** The sums of a page of groups, and the number of all groups. */
export type UsageReport = Omit<z.output<typeof usageReport>, 'plan' | 'pagination'> & { groups: number }
