import { jobAccepted } from '../../../contract/runs/control.ts'
import * as schemas from '../../../contract/tools/reflex.ts'
import { productParams as params } from '../../../contract/resources/product.ts'
import { allowWriters } from '../../routing/access.ts'
import { accepted } from '../../routing/reply.ts'
import { defineRoute, type Route } from '../../routing/route.ts'
import { productRoutes } from '../resources/products.ts'
import type { ReflexesService } from '../../../services/tools/reflexes/reflexes.ts'

const tag = 'Tools'

/** Reflexes: collections of tools and their sources. */
export function reflexRoutes({ reflexes }: { reflexes: ReflexesService }): Route[] {
  const refresh = defineRoute({
    name: 'reflexes.refresh',
    method: 'post',
    path: '/v1/reflexes/:id/refresh',
    summary: 'Refresh the tools of a reflex from its source',
    description: 'The job saves a new version if the tools have changed.',
    tag,
    access: allowWriters('resources:write'),
    params,
    idempotent: true,
    responses: { 202: { description: 'The job is accepted', schema: jobAccepted } },
    handler: async ({ principal, params, idempotency }) =>
      accepted(await reflexes.refresh(principal, params.id, idempotency)),
  })

  return [
    ...productRoutes({
      path: '/v1/reflexes',
      tag,
      one: 'a reflex',
      many: 'reflexes',
      says: {
        create: {
          description: 'If only `url` is given, a job lists the tools at that address; `job_id` names the job.',
        },
        patch: { description: 'Creates a new version. Running jobs keep the version that they started with.' },
        remove: { description: 'Its tools cannot be called until it is restored, not even by running jobs.' },
      },
      service: reflexes,
      schemas: {
        create: schemas.reflexBody,
        patch: schemas.reflexPatch,
        view: schemas.reflex,
        saved: schemas.savedReflex,
        restored: schemas.restoredReflex,
        page: schemas.reflexPage,
      },
    }),
    refresh,
  ]
}
