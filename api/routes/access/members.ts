import type { MembersService } from '../../../services/access/members.ts'
import { allowWriters } from '../../routing/access.ts'
import { page } from '../../routing/page.ts'
import { noContent, ok } from '../../routing/reply.ts'
import { defineRoute } from '../../routing/route.ts'
import type { Route } from '../../routing/route.ts'
import { errorBody, pageQuery } from '../../routing/schemas.ts'
import { toManager } from './manager.ts'
import * as schemas from './schemas.ts'

const tag = 'Access'
const path = '/v1/members'
/** API keys too, so that the directory of a company can keep the members up to date. */
const access = allowWriters('access:manage')
const params = schemas.memberParams
const lastOwner = { 409: { description: 'The workspace must keep an owner', schema: errorBody } }

/** The people of the workspace with their roles and groups. */
export function memberRoutes({ members }: { members: MembersService }): Route[] {
  const list = defineRoute({
    name: 'members.list',
    method: 'get',
    path,
    summary: 'List the members of the workspace, by name',
    tag,
    access,
    query: pageQuery,
    responses: { 200: { description: 'A page of members', schema: schemas.memberPage } },
    async handler({ caller, query }) {
      const { data, total } = await members.list(toManager(caller), query)
      return ok(page(data, total, query))
    },
  })

  const save = defineRoute({
    name: 'members.save',
    method: 'put',
    path: `${path}/:actor`,
    summary: 'Add a member, or replace the role and the groups of one',
    description: 'Credentials of the person have the new rights within five seconds. Only an owner changes owners.',
    tag,
    access,
    params,
    body: schemas.memberBody,
    responses: { 200: { description: 'The member', schema: schemas.member }, ...lastOwner },
    handler: async ({ caller, params, body }) => ok(await members.save(toManager(caller), { ...params, ...body })),
  })

  const remove = defineRoute({
    name: 'members.remove',
    method: 'delete',
    effect: 'stop',
    path: `${path}/:actor`,
    summary: 'Remove a member, and revoke its sessions and API keys',
    tag,
    access,
    params,
    responses: { 204: { description: 'Removed' }, ...lastOwner },
    async handler({ caller, params }) {
      await members.remove(toManager(caller), params.actor)
      return noContent()
    },
  })

  return [list, save, remove]
}
