import type { ReflexesService } from '../../../services/reflexes/types.ts'
import { accepted } from '../../routing/reply.ts'
import { defineRoute } from '../../routing/route.ts'
import type { Route } from '../../routing/route.ts'
import { jobAccepted } from '../jobs/schemas.ts'
import { productRoutes } from '../products/routes.ts'
import { productParams as params } from '../products/schemas.ts'
import * as schemas from './schemas.ts'

const tag = 'Tools'

/** Reflexes as a product: collections of tools, and where those come from. */
export function reflexRoutes({ reflexes }: { reflexes: ReflexesService }): Route[] {
  const refresh = defineRoute({
    method: 'post',
    path: '/v1/reflexes/:id/refresh',
    summary: 'Ask the source of a reflex for its tools again',
    description: 'The job saves them as a new version, where they have changed.',
    tag,
    auth: 'key',
    params,
    idempotent: true,
    responses: { 202: { description: 'The job is accepted', schema: jobAccepted } },
    handler: async ({ who, params, idempotency }) => accepted(await reflexes.refresh(who, params.id, idempotency)),
  })

  return [
    ...productRoutes({
      path: '/v1/reflexes',
      tag,
      one: 'a reflex',
      many: 'reflexes',
      says: {
        create: { description: 'Where only an address is given, a job asks there for the tools; `job_id` names it.' },
        patch: { description: 'Makes a new version. Runs in flight keep calling the version they began with.' },
        remove: { description: 'Until then none of its tools can be called, by runs in flight neither.' },
      },
      service: reflexes,
      schemas: {
        create: schemas.createBody,
        patch: schemas.patchBody,
        view: schemas.reflex,
        saved: schemas.savedReflex,
        page: schemas.reflexPage,
      },
    }),
    refresh,
  ]
}
