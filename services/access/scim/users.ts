import { isDeepStrictEqual } from 'node:util'
import type { Filter } from 'scim2-parse-filter'
import type { Config } from '../../../config/config.ts'
import type { Database, Tx } from '../../../data/shared/database.ts'
import { listPeople, lockPerson, type Person, saveDeactivated } from '../../../data/access/provisioning-store.ts'
import { lockOwners } from '../../../data/access/members-store.ts'
import { isActorName } from '../../../domain/access/principal.ts'
import { decodeScimId } from '../../../domain/access/scim-id.ts'
import { ScimProblem } from '../../../domain/access/scim-problem.ts'
import { NotFound } from '../../../domain/shared/errors.ts'
import type { JsonObject } from '../../../domain/shared/json/json.ts'
import { checkRole } from '../granting.ts'
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
import { parseFilter, type Provisioner, type ResourceService } from './resource-service.ts'
import {
  findRole,
  parseUser,
  presentUser,
  type Resource,
  toProfile,
  toStoredAttributes,
  type UserResource,
} from './resources.ts'

interface Deps {
  db: Database
  offboarding: Pick<Offboarding, 'releaseClaims'>
  config: Pick<Config, 'OIDC_USER_PREFIX' | 'SCIM_USER_ATTRIBUTE' | 'PROVISIONED_ROLE'>
}

const MAX_NAME = 200

/** Members and deactivated members as SCIM users. */
export function createScimUsers({ db, offboarding, config }: Deps): ResourceService {
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
      const name = nameMember(user)
      // A client can set the name once for a member that SCIM has not created.
      if (before.scim ? name !== before.actor : name.toLowerCase() !== before.actor.toLowerCase())
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

  return {
    list: (by, { filter, ...range }) =>
      inWorkspace(by, async tx => {
        const { rows, total } = await listPeople(tx, parseFilter(filter), range)
        return { resources: rows.map(person => presentUser(person, by.base)), total }
      }),

    read: (by, id) => inWorkspace(by, async tx => presentUser(await requirePerson(tx, id), by.base)),

    async create(by, body) {
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

    replace: (by, id, body) => changeUser(by, id, () => body),
    // Entra ID adds the new role to the former one, so a patch starts without roles.
    patch: (by, id, body) => changeUser(by, id, ({ roles: _roles, ...present }) => applyPatch(present, body)),

    async delete(by, id) {
      await release(by, await removePerson(by, id, 'deactivate'))
      await removePerson(by, id, 'remove')
    },
  }
}

async function requirePerson(tx: Tx, id: string): Promise<Person> {
  const actor = decodeScimId(id)
  const person = actor === undefined ? undefined : await lockPerson(tx, actor)
  if (!person) throw new NotFound(`User ${id}`)
  return person
}
