import { jobAccepted } from '../../../contract/runs/control.ts'
import * as schemas from '../../../contract/tools/reflex.ts'
import { productParams as params } from '../../../contract/resources/product.ts'
import { allowWriters } from '../../routing/access.ts'
import { accepted } from '../../routing/reply.ts'
import { defineRoute, type Route } from '../../routing/route.ts'
import { productRoutes } from '../resources/products.ts'
import type { ReflexesService } from '../../../services/tools/reflexes/reflexes.ts'

const tag = 'Tools'

/** Routes for reflexes: tool collections and their sources. */
export function reflexRoutes({ reflexes }: { reflexes: ReflexesService }): Route[] {
  const refresh = defineRoute({
    name: 'reflexes.refresh',
    method: 'post',
    path: '/v1/reflexes/:id/refresh',
    summary: 'Refresh the tools of a reflex',
    description: 'The job reads the tools from the source. If they have changed, the job saves a new version.',
    tag,
    access: allowWriters('resources:write'),
    params,
    idempotent: true,
    responses: { 202: { description: 'The job was accepted', schema: jobAccepted } },
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
          description:
            'If you send only `url`, a job discovers the tools at that address. `job_id` identifies that job.',
        },
        patch: { description: 'Creates a new version. Running jobs keep the version they started with.' },
        remove: { description: 'The tools cannot be called until the reflex is restored, not even by running jobs.' },
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
