import { z } from 'zod'
import { errorBody } from '../../../contract/shared/error.ts'
import { pageQuery } from '../../../contract/shared/query.ts'
import * as schemas from '../../../contract/access/member.ts'
import { removalQuery, departure } from '../../../contract/access/departure.ts'
import { handoverBody, handover } from '../../../contract/access/handover.ts'
import { person } from '../../../contract/shared/text.ts'
import type { MembersService } from '../../../services/access/members.ts'
import type { Offboarding } from '../../../services/access/offboarding.ts'
import { allowWriters } from '../../routing/access.ts'
import { page } from '../../routing/page.ts'
import { ok } from '../../routing/reply.ts'
import { defineRoute } from '../../routing/route.ts'
import type { Route } from '../../routing/route.ts'
import { getManager } from './manager.ts'

const memberParams = z.object({ actor: person })

const tag = 'Access'
const path = '/v1/members'
/** API keys too, so that the directory of a company can keep the members up to date. */
const access = allowWriters('access:manage')
const params = memberParams
const lastOwner = { 409: { description: 'The workspace must keep an owner', schema: errorBody } }

/** The people of the workspace with their roles and groups. */
export function memberRoutes({ members, offboarding }: { members: MembersService; offboarding: Offboarding }): Route[] {
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
      const { data, total } = await members.list(getManager(caller), query)
      return ok(page(data, total, query))
    },
  })

  const save = defineRoute({
    name: 'members.save',
    method: 'put',
    path: `${path}/:actor`,
    summary: 'Add a member, or replace the role and the groups of one',
    description:
      'Credentials of the person have the new rights within five seconds. You can give and take away only roles whose permissions you have. Only members of a group, and owners, add others to it; another person who manages access adds you.',
    tag,
    access,
    params,
    body: schemas.memberBody,
    responses: { 200: { description: 'The member', schema: schemas.member }, ...lastOwner },
    handler: async ({ caller, params, body }) => ok(await members.save(getManager(caller), { ...params, ...body })),
  })

  const remove = defineRoute({
    name: 'members.remove',
    method: 'delete',
    effect: 'stop',
    path: `${path}/:actor`,
    summary: 'Remove a member, and end what acts for them',
    description:
      'Revokes the sessions, API keys, share tokens, sign-in links and hook tokens of the person, switches off their triggers, and lists what others must take over. Runs in progress continue.',
    tag,
    access,
    params,
    query: removalQuery,
    responses: { 200: { description: 'What has ended and what is open', schema: departure }, ...lastOwner },
    handler: async ({ caller, params, query }) =>
      ok(await offboarding.remove(caller, getManager(caller), params.actor, query)),
  })

  const handOver = defineRoute({
    name: 'members.handOver',
    method: 'post',
    path: `${path}/:actor/handover`,
    summary: 'Hand the tasks and triggers of a person over to another member',
    description:
      'Needs `jobs:control` for tasks and `resources:write` for triggers. Triggers are handed over once their person has left, and stay paused: who resumes one answers for its runs. You cannot take over yourself.',
    tag,
    access,
    params,
    body: handoverBody,
    responses: { 200: { description: 'What became of each task and trigger', schema: handover } },
    handler: async ({ caller, params, body }) => ok(await offboarding.handOver(caller, params.actor, body)),
  })

  return [list, save, remove, handOver]
}
