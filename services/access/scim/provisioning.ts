import { isDeepStrictEqual } from 'node:util'
import { type Filter, parse } from 'scim2-parse-filter'
import type { Config } from '../../../config/config.ts'
import { writeAudit } from '../../../data/audit/audit-store.ts'
import type { Database, Tx } from '../../../data/shared/database.ts'
import {
  addToGroup,
  deleteGroup,
  findStrangers,
  insertGroup,
  listGroups,
  listMemberships,
  listPeople,
  lockGroup,
  lockPerson,
  type Person,
  type ProvisionedGroup,
  removeFromGroup,
  saveDeactivated,
  updateGroup,
} from '../../../data/access/provisioning-store.ts'
import { lockOwners } from '../../../data/access/members-store.ts'
import { isActorName, isGroupName, type Principal } from '../../../domain/access/principal.ts'
import { decodeScimId, encodeScimId } from '../../../domain/access/scim-id.ts'
import { ScimProblem } from '../../../domain/access/scim-problem.ts'
import { NotFound } from '../../../domain/shared/errors.ts'
import type { JsonObject } from '../../../domain/shared/json/json.ts'
import { checkRole } from '../granting.ts'
import type { Manager } from '../manager.ts'
import {
  checkOwnerStays,
  endMembership,
  NEW_MEMBER,
  removeDeactivated,
  restoreMembership,
  writeMember,
} from '../members.ts'
import type { Offboarding } from '../offboarding.ts'
import { applyPatch } from './patch.ts'
import {
  findRole,
  type GroupResource,
  parseGroup,
  parseUser,
  presentGroup,
  presentUser,
  type Resource,
  toProfile,
  toStoredAttributes,
  type UserResource,
} from './resources.ts'

/** Who provisions: the manager for the changes, and the principal for the work of people who leave. */
export interface Provisioner {
  manager: Manager
  principal: Principal
  /** Address of the SCIM endpoint. */
  base: string
}

export interface ListQuery {
  filter?: string
  limit: number
  offset: number
  /** False if the client doesn't need the members of groups. */
  withMembers: boolean
}

/**
 * Members and groups for SCIM clients. Methods throw ScimProblem for invalid requests, NotFound for unknown ids, and
 * Conflict if the workspace would lose its last owner.
 */
export interface ProvisioningService {
  /** The attribute that names members. It can't be changed. */
  nameAttribute: string
  listUsers(by: Provisioner, query: ListQuery): Promise<{ resources: Resource[]; total: number }>
  readUser(by: Provisioner, id: string): Promise<Resource>
  createUser(by: Provisioner, body: unknown): Promise<Resource>
  replaceUser(by: Provisioner, id: string, body: unknown): Promise<Resource>
  patchUser(by: Provisioner, id: string, body: unknown): Promise<Resource>
  deleteUser(by: Provisioner, id: string): Promise<void>
  listGroups(by: Provisioner, query: ListQuery): Promise<{ resources: Resource[]; total: number }>
  readGroup(by: Provisioner, id: string, withMembers: boolean): Promise<Resource>
  createGroup(by: Provisioner, body: unknown): Promise<Resource>
  replaceGroup(by: Provisioner, id: string, body: unknown): Promise<Resource>
  patchGroup(by: Provisioner, id: string, body: unknown): Promise<Resource>
  deleteGroup(by: Provisioner, id: string): Promise<void>
}

interface Deps {
  db: Database
  offboarding: Pick<Offboarding, 'releaseClaims'>
  config: Pick<Config, 'OIDC_USER_PREFIX' | 'SCIM_USER_ATTRIBUTE' | 'PROVISIONED_ROLE'>
}

export function createProvisioning({ db, offboarding, config }: Deps): ProvisioningService {
  const inWorkspace = <T>(by: Provisioner, work: (tx: Tx) => Promise<T>) =>
    db.inWorkspace(by.manager.workspace_id, work)

  /** Returns the name of the member for a user. Throws ScimProblem if the attribute is missing or not a valid name. */
  function nameMember(user: UserResource): string {
    const { OIDC_USER_PREFIX: prefix, SCIM_USER_ATTRIBUTE: attribute } = config
    const actor = `${prefix}:${user[attribute] ?? ''}`
    if (isActorName(actor) && actor.length <= MAX_NAME) return actor
    throw new ScimProblem('invalidValue', `${attribute}: must be 1 to 190 characters without spaces`)
  }

  /**
   * Releases the claimed tasks of a person who is not active. The provisioning key needs no permission for it. If it
   * fails, the directory repeats the request.
   */
  async function release({ principal }: Provisioner, { actor, active }: Pick<Person, 'actor' | 'active'>) {
    if (active) return
    const permissions = new Set([...principal.permissions, 'jobs:control' as const])
    await offboarding.releaseClaims({ ...principal, permissions }, actor)
  }

  /** Ends the access of a person, or deletes the person whose access has ended. */
  const removePerson = (by: Provisioner, id: string, how: 'deactivate' | 'remove'): Promise<Person> =>
    inWorkspace(by, async tx => {
      const person = await requirePerson(tx, id)
      const { active, ...member } = person
      if (active) await endMembership(tx, by.manager, member, how)
      else if (how === 'remove') await removeDeactivated(tx, by.manager, member)
      return { ...person, active: false }
    })

  /** Changes a user in one transaction. `change` returns the new resource. */
  async function changeUser(by: Provisioner, id: string, change: (present: Resource) => unknown): Promise<Resource> {
    const person = await inWorkspace(by, async tx => {
      const before = await requirePerson(tx, id)
      const user = parseUser(change(presentUser(before, by.base)))
      // A client can set the name once for a member that SCIM has not created.
      if (
        before.scim ? nameMember(user) !== before.actor : nameMember(user).toLowerCase() !== before.actor.toLowerCase()
      )
        throw new ScimProblem('mutability', `${config.SCIM_USER_ATTRIBUTE} names the member, and can't be changed`)
      return saveUser(tx, by, before, user)
    })
    await release(by, person)
    return presentUser(person, by.base)
  }

  async function saveUser(tx: Tx, { manager }: Provisioner, before: Person, user: UserResource): Promise<Person> {
    const { active: wasActive, ...former } = before
    const role = findRole(user) ?? before.role
    const isOtherRole = role !== before.role
    if (isOtherRole) {
      checkRole(manager, before.role)
      checkRole(manager, role)
      if (wasActive) checkOwnerStays(await lockOwners(tx), before.actor)
    }
    const after = {
      ...former,
      ...toProfile(user),
      role,
      role_source: isOtherRole ? ('scim' as const) : former.role_source,
      scim: toStoredAttributes(user) as JsonObject,
    }
    const active = user.active ?? wasActive
    if (active && !wasActive) await restoreMembership(tx, manager, former)
    const isChanged = !isDeepStrictEqual(former, after)
    const details = { source: 'scim' }
    if (isChanged && (active || wasActive)) await writeMember(tx, manager, { before: former, after, details })
    if (isChanged && !active && !wasActive) await saveDeactivated(tx, after)
    if (wasActive && !active) await endMembership(tx, manager, after, 'deactivate')
    return { ...after, active }
  }

  /** Changes a group in one transaction. `change` returns the new resource. */
  const changeGroup = (by: Provisioner, id: string, change: (present: Resource) => unknown): Promise<Resource> =>
    inWorkspace(by, async tx => {
      const before = await requireGroup(tx, id)
      const [members = []] = await readMembers(tx, [before])
      const { displayName, externalId = null, ...group } = parseGroup(change(presentGroup(before, members, by.base)))
      const after = { name: before.name, display_name: displayName, external_id: externalId }
      if (!isDeepStrictEqual(before, after)) await updateGroup(tx, after)
      const actors = toActors(group)
      const added = [...new Set(actors).difference(new Set(members))]
      const removed = [...new Set(members).difference(new Set(actors))]
      await changeMembers(tx, after.name, { added, removed })
      if (added.length + removed.length > 0 || !isDeepStrictEqual(before, after))
        await auditGroup(tx, by, { before, after, added, removed })
      return presentGroup(after, actors.toSorted(), by.base)
    })

  return {
    nameAttribute: config.SCIM_USER_ATTRIBUTE,

    listUsers: (by, { filter, ...range }) =>
      inWorkspace(by, async tx => {
        const { rows, total } = await listPeople(tx, parseFilter(filter), range)
        return { resources: rows.map(person => presentUser(person, by.base)), total }
      }),

    readUser: (by, id) => inWorkspace(by, async tx => presentUser(await requirePerson(tx, id), by.base)),

    async createUser(by, body) {
      const user = parseUser(body)
      const actor = nameMember(user)
      const person = await inWorkspace(by, async tx => {
        const present = await lockPerson(tx, actor)
        if (present?.scim) throw new ScimProblem('uniqueness', `The user ${actor} already exists`)
        if (present) return saveUser(tx, by, present, user)
        const sameName: Filter = { op: 'eq', attrPath: 'userName', compValue: user.userName }
        const { rows } = await listPeople(tx, sameName, { limit: 1, offset: 0 })
        if (rows.length > 0) throw new ScimProblem('uniqueness', `The userName ${user.userName} is already used`)
        const { PROVISIONED_ROLE: role } = config
        const created = { ...NEW_MEMBER, actor, role, role_source: 'scim' as const }
        await writeMember(tx, by.manager, { after: created, details: { source: 'scim' } })
        return saveUser(tx, by, { ...created, active: true }, user)
      })
      await release(by, person)
      return presentUser(person, by.base)
    },

    replaceUser: (by, id, body) => changeUser(by, id, () => body),
    // Entra ID adds the new role to the former one, so a patch starts without roles.
    patchUser: (by, id, body) => changeUser(by, id, ({ roles: _roles, ...present }) => applyPatch(present, body)),

    async deleteUser(by, id) {
      await release(by, await removePerson(by, id, 'deactivate'))
      await removePerson(by, id, 'remove')
    },

    listGroups: (by, { filter, withMembers, ...range }) =>
      inWorkspace(by, async tx => {
        const { rows, total } = await listGroups(tx, parseFilter(filter), range)
        const members = withMembers ? await readMembers(tx, rows) : []
        return { resources: rows.map((group, i) => presentGroup(group, members[i], by.base)), total }
      }),

    readGroup: (by, id, withMembers) =>
      inWorkspace(by, async tx => {
        const group = await requireGroup(tx, id)
        const [members] = withMembers ? await readMembers(tx, [group]) : []
        return presentGroup(group, members, by.base)
      }),

    createGroup: (by, body) =>
      inWorkspace(by, async tx => {
        const { displayName, externalId = null, ...resource } = parseGroup(body)
        const name = `group:${displayName.trim().replaceAll(/\s+/gu, '-')}`
        if (!isGroupName(name)) throw new ScimProblem('invalidValue', 'displayName: must be 1 to 200 characters')
        const group = { name, display_name: displayName, external_id: externalId }
        if (await lockGroup(tx, name)) throw new ScimProblem('uniqueness', `The group ${name} already exists`)
        await insertGroup(tx, group)
        const added = toActors(resource)
        await changeMembers(tx, name, { added, removed: [] })
        await auditGroup(tx, by, { after: group, added, removed: [] })
        return presentGroup(group, added.toSorted(), by.base)
      }),

    replaceGroup: (by, id, body) => changeGroup(by, id, () => body),
    patchGroup: (by, id, body) => changeGroup(by, id, present => applyPatch(present, body)),

    deleteGroup: (by, id) =>
      inWorkspace(by, async tx => {
        const before = await requireGroup(tx, id)
        const [removed = []] = await readMembers(tx, [before])
        await removeFromGroup(tx, before.name, removed)
        await deleteGroup(tx, before.name)
        await auditGroup(tx, by, { before, added: [], removed })
      }),
  }
}

const MAX_NAME = 200
const MAX_FILTER = 2_000

function parseFilter(filter: string | undefined): Filter | undefined {
  if (filter === undefined || filter === '') return undefined
  if (filter.length > MAX_FILTER)
    throw new ScimProblem('invalidFilter', `The filter may have at most ${MAX_FILTER} characters`)
  try {
    return parse(filter)
  } catch (error) {
    throw new ScimProblem('invalidFilter', error instanceof Error ? error.message : 'The filter is invalid')
  }
}

async function requirePerson(tx: Tx, id: string): Promise<Person> {
  const actor = decodeScimId(id)
  const person = actor === undefined ? undefined : await lockPerson(tx, actor)
  if (!person) throw new NotFound(`User ${id}`)
  return person
}

async function requireGroup(tx: Tx, id: string): Promise<ProvisionedGroup> {
  const name = decodeScimId(id)
  const group = name === undefined ? undefined : await lockGroup(tx, name)
  if (!group) throw new NotFound(`Group ${id}`)
  return group
}

/** Returns the people in each of the groups. */
async function readMembers(tx: Tx, groups: ProvisionedGroup[]): Promise<string[][]> {
  const names = groups.map(({ name }) => name)
  const memberships = await listMemberships(tx, names)
  return names.map(name => memberships.filter(entry => entry.names.includes(name)).map(({ actor }) => actor))
}

const toActors = ({ members }: Pick<GroupResource, 'members'>): string[] => [
  ...new Set((members ?? []).map(({ value }) => decodeScimId(value) ?? value)),
]

async function changeMembers(
  tx: Tx,
  name: string,
  { added, removed }: { added: string[]; removed: string[] },
): Promise<void> {
  const [stranger] = added.length > 0 ? await findStrangers(tx, added) : []
  if (stranger !== undefined)
    throw new ScimProblem('invalidValue', `members: no user has the id ${encodeScimId(stranger)}`)
  if (added.length > 0) await addToGroup(tx, name, added)
  if (removed.length > 0) await removeFromGroup(tx, name, removed)
}

interface GroupChange {
  before?: ProvisionedGroup
  after?: ProvisionedGroup
  added: string[]
  removed: string[]
}

const auditGroup = (tx: Tx, { manager }: Provisioner, { before, after, ...members }: GroupChange): Promise<void> =>
  writeAudit(tx, manager, {
    action: after ? 'group.set' : 'group.remove',
    target: (after ?? before)?.name ?? '',
    before,
    after,
    details: { ...members, source: 'scim' },
  })
