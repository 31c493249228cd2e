import { errorBody } from '../../../contract/shared/error.ts'
import * as schemas from '../../../contract/triggers/trigger.ts'
import { productParams as params } from '../../../contract/resources/product.ts'
import { firing as firingSchema, firingsQuery, firingPage } from '../../../contract/triggers/firing.ts'
import type { ReplayFiring } from '../../../services/triggers/events/replay-firing.ts'
import { allowReaders, allowWriters } from '../../routing/access.ts'
import { page } from '../../routing/page.ts'
import { accepted, ok } from '../../routing/reply.ts'
import { defineRoute } from '../../routing/route.ts'
import type { Route } from '../../routing/route.ts'
import { productRoutes } from '../resources/products.ts'
import type { TriggersService } from '../../../services/triggers/triggers.ts'
import { replayRoute } from './replay-route.ts'

const tag = 'Triggers'

interface Deps {
  triggers: TriggersService
  replayFiring: ReplayFiring
}

/** Routes for triggers, which start runs automatically. */
export const triggerRoutes = ({ triggers, replayFiring }: Deps): Route[] => [
  ...productRoutes({
    path: '/v1/triggers',
    tag,
    one: 'a trigger',
    many: 'triggers',
    service: triggers,
    schemas: schemas.triggerSchemas,
  }),
  fireRoute(triggers),
  runsRoute(triggers),
  previewRoute(triggers),
  backfillRoute(triggers),
  replayRoute({ replayFiring }),
]

const fireRoute = (triggers: TriggersService) =>
  defineRoute({
    name: 'triggers.fire',
    method: 'post',
    path: '/v1/triggers/:id/fire',
    summary: 'Fire a trigger',
    description:
      'Evaluates the filter, the limits and the input as for any other event, and starts a run. Works for all trigger types, even while the trigger is paused.',
    tag,
    access: allowWriters('jobs:start'),
    params,
    body: schemas.fireBody,
    idempotent: true,
    responses: {
      200: { description: 'No run was started, because the filter did not match', schema: firingSchema },
      202: { description: 'The run was started', schema: firingSchema },
      409: { description: 'The target is missing or inactive', schema: errorBody },
    },
    async handler({ principal, params, body, idempotency }) {
      const firing = await triggers.fire(principal, params.id, body, idempotency)
      const { decision, job_id } = firing
      return decision === 'fired' && job_id !== null ? accepted({ ...firing, job_id }) : ok(firing)
    },
  })

const runsRoute = (triggers: TriggersService) =>
  defineRoute({
    name: 'triggers.runs',
    method: 'get',
    path: '/v1/triggers/:id/runs',
    summary: 'List firings, latest first',
    description:
      "Returns every event that reached the trigger, with the trigger's decision and the job that the event started.",
    tag,
    access: allowReaders('jobs:read'),
    params,
    query: firingsQuery,
    responses: { 200: { description: 'A page of firings', schema: firingPage } },
    async handler({ principal, params, query }) {
      const { data, total } = await triggers.runs(principal, params.id, query)
      return ok(page(data, total, query))
    },
  })

const previewRoute = (triggers: TriggersService) =>
  defineRoute({
    name: 'triggers.preview',
    method: 'get',
    path: '/v1/triggers/:id/preview',
    summary: 'List the next scheduled times',
    tag,
    access: allowReaders('resources:read'),
    params,
    responses: {
      200: { description: 'At most 20 times. Empty if the trigger has no schedule.', schema: schemas.triggerPreview },
    },
    handler: async ({ principal, params }) => ok(await triggers.preview(principal, params.id)),
  })

const backfillRoute = (triggers: TriggersService) =>
  defineRoute({
    name: 'triggers.backfill',
    method: 'post',
    path: '/v1/triggers/:id/backfill',
    summary: 'Backfill a schedule',
    description:
      'Fires for each scheduled time in the period as if it were due now. Runs start one after the other, unless `overlap` is `allow`. Scheduled times that have already fired do not fire again, so you can repeat the request.',
    tag,
    access: allowWriters('jobs:start'),
    params,
    body: schemas.backfillBody,
    responses: {
      202: { description: 'The trigger fires for these times in the background', schema: schemas.backfilled },
      409: { description: 'The trigger has no schedule, or is paused', schema: errorBody },
    },
    handler: async ({ principal, params, body }) => ({
      status: 202,
      body: await triggers.backfill(principal, params.id, body),
    }),
  })
