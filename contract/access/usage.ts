import { z } from 'zod'
import { USAGE_GROUPS } from '../../domain/access/usage.ts'
import { pagination } from '../shared/page.ts'
import { limit, offset } from '../shared/query.ts'
import { moment, timestamp } from '../shared/time.ts'
import { planReport } from './plan.ts'

export const usageQuery = z.object({
  from: moment.optional().meta({ description: 'Start time. Default: the start of the current month (UTC).' }),
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
          .meta({ description: "Day (UTC), or the group's name or id. Null if there is none." }),
        slug: z.string().nullable().meta({ description: 'Slug of the neuron or pathway that the group stands for' }),
        ...sums,
      }),
    ),
    total: z.object(sums),
    plan: planReport,
    pagination,
  })
  .meta({ id: 'Usage' })

/** Totals for each group on one page, and the total number of groups. */
export type UsageReport = Omit<z.output<typeof usageReport>, 'plan' | 'pagination'> & { groups: number }
