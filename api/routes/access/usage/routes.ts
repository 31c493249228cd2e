import { z } from 'zod'
import type { PlanReport, PlansService } from '../../../../services/access/plans/plans.ts'
import { USAGE_GROUPS, type UsageService } from '../../../../services/access/usage/usage.ts'
import { allowReaders } from '../../../routing/access.ts'
import { page } from '../../../routing/page.ts'
import { ok } from '../../../routing/reply.ts'
import { defineRoute } from '../../../routing/route.ts'
import type { Route } from '../../../routing/route.ts'
import { pagination } from '../../../../contract/shared/page.ts'
import { limit, offset } from '../../../../contract/shared/query.ts'
import { moment, timestamp } from '../../../../contract/shared/time.ts'

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

const plan = z
  .object({
    name: z.string(),
    trial_ends_at: timestamp
      .nullable()
      .meta({ description: 'After it, only reads are possible. Null without a trial.' }),
    limits: z.object({
      requests_per_minute: z.int().meta({ description: 'Of one credential' }),
      open_streams: z.int().meta({ description: 'Of one credential' }),
      runs_in_flight: z.int().nullable().meta({ description: 'Of the workspace. Null without a limit.' }),
      runs_in_flight_per_credential: z.int().nullable(),
      bulk_jobs: z.int().meta({ description: 'Bulk jobs of the workspace that have not ended' }),
      included_usd: z.number().nullable().meta({ description: 'Of a calendar month (UTC). Null without a limit.' }),
      run_reserve_usd: z.number().meta({
        description: 'What a run that can call a model or transcribe reserves of the included USD until it ends',
      }),
    }),
    used: z.object({
      spent_usd: z.number().meta({ description: 'In the current month' }),
      reserved_usd: z
        .number()
        .meta({ description: 'What runs that have not ended have reserved beyond what they have used' }),
      runs_in_flight: z.int().meta({ description: 'Runs that requests have started and that are pending or running' }),
      bulk_jobs: z.int(),
    }),
  })
  .meta({
    id: 'Plan',
    description: 'The plan of the workspace, and what all of the workspace uses of it at present',
  }) satisfies z.ZodType<PlanReport>

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
    plan,
    pagination,
  })
  .meta({ id: 'Usage' })

/** Usage: the ledger of model calls, embeddings and transcriptions. */
export function usageRoutes({ usage, plans }: { usage: UsageService; plans: Pick<PlansService, 'report'> }): Route[] {
  const read = defineRoute({
    name: 'usage.get',
    method: 'get',
    path: '/v1/usage',
    summary: 'Aggregate usage by day, kind, model, neuron, pathway or job, and read the plan',
    tag: 'Service',
    access: allowReaders('usage:read'),
    query,
    responses: { 200: { description: 'Aggregated usage', schema: report } },
    async handler({ principal, query }) {
      const [{ groups, ...found }, plan] = await Promise.all([usage.report(principal, query), plans.report(principal)])
      return ok({ ...found, plan, pagination: page(found.data, groups, query).pagination })
    },
  })

  return [read]
}
