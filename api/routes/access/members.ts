import { z } from 'zod'
import { errorBody } from '../../../contract/shared/error.ts'
import * as schemas from '../../../contract/access/member.ts'
import { deactivationBody, removalQuery, departure } from '../../../contract/access/departure.ts'
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
/** API keys are allowed, so that a company directory can synchronize members. */
const access = allowWriters('access:manage')
const params = memberParams
const lastOwner = { 409: { description: 'The workspace must have at least one owner', schema: errorBody } }

/** Routes for the people in the workspace, and for their roles and groups. */
export function memberRoutes({ members, offboarding }: { members: MembersService; offboarding: Offboarding }): Route[] {
  const list = defineRoute({
    name: 'members.list',
    method: 'get',
    path,
    summary: 'List members by name',
    tag,
    access,
    query: schemas.membersQuery,
    responses: { 200: { description: 'A page of members', schema: schemas.memberPage } },
    async handler({ caller, query }) {
      const { data, total } = await members.list(getManager(caller), query)
      return ok(page(data, total, query))
    },
  })

  const names = defineRoute({
    name: 'members.names',
    method: 'get',
    path: `${path}/names`,
    summary: 'Look up display names',
    description:
      'Returns the display names of members. Members without a display name, and people who are not members, are omitted.',
    tag,
    access: allowWriters('interventions:read'),
    query: schemas.namesQuery,
    responses: { 200: { description: 'The display names', schema: schemas.memberNames } },
    handler: async ({ principal, query }) =>
      ok({ data: await members.listNames(principal.workspace_id, query.actors) }),
  })

  const save = defineRoute({
    name: 'members.save',
    method: 'put',
    path: `${path}/:actor`,
    summary: 'Add or update a member',
    description:
      "The person's credentials get the new permissions within five seconds. You can only grant and revoke roles whose permissions you have. Only owners and members of a group can add other people to the group. You cannot add yourself; ask another access manager.",
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
    summary: 'Remove a member',
    description:
      "Revokes the person's sessions, API keys, share tokens, sign-in links and hook tokens, and disables their triggers. Returns the work that other people must take over. Runs in progress continue.",
    tag,
    access,
    params,
    query: removalQuery,
    responses: {
      200: { description: 'Ended credentials and disabled triggers, and the work to take over', schema: departure },
      ...lastOwner,
    },
    handler: async ({ caller, params, query }) =>
      ok(await offboarding.remove(caller, getManager(caller), params.actor, query)),
  })

  const deactivate = defineRoute({
    name: 'members.deactivate',
    method: 'post',
    effect: 'stop',
    path: `${path}/:actor/deactivate`,
    summary: 'Deactivate a member',
    description:
      "Ends the person's access like a removal, but keeps their role, groups and profile. Returns the work that other people must take over.",
    tag,
    access,
    params,
    body: deactivationBody,
    responses: {
      200: { description: 'Ended credentials and disabled triggers, and the work to take over', schema: departure },
      ...lastOwner,
    },
    handler: async ({ caller, params, body }) =>
      ok(await offboarding.deactivate(caller, getManager(caller), params.actor, body)),
  })

  const reactivate = defineRoute({
    name: 'members.reactivate',
    method: 'post',
    path: `${path}/:actor/reactivate`,
    summary: 'Reactivate a member',
    description:
      'Restores the role, groups and profile of a deactivated member, who can then sign in again. Revoked credentials and disabled triggers stay off.',
    tag,
    access,
    params,
    responses: { 200: { description: 'The member', schema: schemas.member } },
    handler: async ({ caller, params }) => ok(await members.reactivate(getManager(caller), params.actor)),
  })

  const handOver = defineRoute({
    name: 'members.handOver',
    method: 'post',
    path: `${path}/:actor/handover`,
    summary: 'Hand over tasks and triggers',
    description:
      "Hands a person's tasks and triggers over to another member. Needs `jobs:control` for tasks and `resources:write` for triggers. You can hand over triggers after the person has left; they stay paused. The member who resumes a trigger becomes responsible for its runs. You cannot hand work over to yourself.",
    tag,
    access,
    params,
    body: handoverBody,
    responses: { 200: { description: 'Result for each task and trigger', schema: handover } },
    handler: async ({ caller, params, body }) => ok(await offboarding.handOver(caller, params.actor, body)),
  })

  return [list, names, save, remove, deactivate, reactivate, handOver]
}
