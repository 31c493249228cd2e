import { z } from 'zod'
import { pageSchema } from '../../../contract/shared/page.ts'
import { pageQuery } from '../../../contract/shared/query.ts'
import type { RouteAccess } from '../../routing/access.ts'
import { page } from '../../routing/page.ts'
import { noContent, ok } from '../../routing/reply.ts'
import { defineRoute, type Route } from '../../routing/route.ts'
import type { Manager } from '../../../services/access/manager.ts'
import { getManager } from './manager.ts'

export const idParams = z.object({ id: z.uuid() })

interface Options<View> {
  /** Prefix of the operation ids, such as `apiKeys`. */
  name: string
  path: Route['path']
  /** Singular with article, such as `an API key`. */
  one: string
  /** Plural, such as `API keys`. */
  many: string
  access: RouteAccess<'required'>
  schema: z.ZodType<View>
  service: {
    list(by: Manager, page: { limit: number; offset: number }): Promise<{ data: View[]; total: number }>
    revoke(by: Manager, id: string): Promise<void>
  }
}

/** Routes that all kinds of credentials share: list and revoke. Each kind has its own tag. */
export function credentialRoutes<View>({
  name,
  path,
  one: noun,
  many,
  access,
  schema,
  service,
}: Options<View>): Route[] {
  const tag = 'Access'
  const list = defineRoute({
    name: `${name}.list`,
    method: 'get',
    path,
    summary: `List ${many}, oldest first`,
    tag,
    access,
    query: pageQuery,
    responses: { 200: { description: `A page of ${many}`, schema: pageSchema(schema) } },
    async handler({ caller, query }) {
      const { data, total } = await service.list(getManager(caller), query)
      return ok(page(data, total, query))
    },
  })

  const revoke = defineRoute({
    name: `${name}.revoke`,
    method: 'delete',
    effect: 'stop',
    path: `${path}/:id`,
    summary: `Revoke ${noun}`,
    description: 'Requests with the revoked credential fail within five seconds.',
    tag,
    access,
    params: idParams,
    responses: { 204: { description: 'Revoked' } },
    async handler({ caller, params }) {
      await service.revoke(getManager(caller), params.id)
      return noContent()
    },
  })

  return [list, revoke]
}
