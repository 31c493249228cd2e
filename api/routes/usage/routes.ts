import { z } from 'zod'
import { USAGE_GROUPS, type UsageService } from '../../../services/usage/usage.ts'
import { allowReaders } from '../../routing/access.ts'
import { page } from '../../routing/page.ts'
import { ok } from '../../routing/reply.ts'
import { defineRoute } from '../../routing/route.ts'
import type { Route } from '../../routing/route.ts'
import { limit, offset, pagination, timestamp } from '../../routing/schemas.ts'

const moment = z.iso.datetime({ offset: true, message: 'must be a time such as 2026-01-31T12:00:00Z' })

const query = z.object({
  from: moment.optional().meta({ description: 'Start time. Default: the beginning of the current month (UTC).' }),
  to: moment.optional().meta({ description: 'End time, exclusive. Default: now.' }),
  group_by: z.enum(USAGE_GROUPS).default('day'),
  limit,
  offset,
})

const sums = {
  calls: z.int(),
  input_tokens: z.int(),
  output_tokens: z.int(),
  cached_input_tokens: z.int(),
  audio_seconds: z.number(),
  usd: z.number(),
}

const report = z
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
    pagination,
  })
  .meta({ id: 'Usage' })

/** Usage: the ledger of model calls, embeddings and transcriptions. */
export function usageRoutes({ usage }: { usage: UsageService }): Route[] {
  const read = defineRoute({
    name: 'usage.get',
    method: 'get',
    path: '/v1/usage',
    summary: 'Aggregate usage by day, kind, model, neuron, pathway or job',
    tag: 'Service',
    access: allowReaders('usage:read'),
    query,
    responses: { 200: { description: 'Aggregated usage', schema: report } },
    async handler({ principal, query }) {
      const { groups, ...found } = await usage.report(principal, query)
      return ok({ ...found, pagination: page(found.data, groups, query).pagination })
    },
  })

  return [read]
}
