import { writeAudit } from '../../data/audit/audit-store.ts'
import type { Database, Tx } from '../../data/shared/database.ts'
import { removeKeyGroups } from '../../data/access/departures-store.ts'
import {
  deactivateMember,
  deleteMember,
  type DisplayName,
  listDeactivated,
  listDisplayNames,
  listMembers,
  lockDeactivated,
  lockMember,
  lockOwners,
  reactivateMember,
  saveMember,
  type Member,
} from '../../data/access/members-store.ts'
import type { JsonObject } from '../../domain/shared/json/json.ts'
import { Conflict, NotFound } from '../../domain/shared/errors.ts'
import type { Departure } from '../../contract/access/departure.ts'
import type { MemberBody } from '../../contract/access/member.ts'
import type { PageQuery } from '../../contract/shared/query.ts'
import { endAccess } from './departure.ts'
import { checkMemberChange, checkRole } from './granting.ts'
import { checkActor, checkGroups } from './credentials/key-fields.ts'
import type { Manager } from './manager.ts'

/** A member without the attributes from SCIM. */
export type MemberView = Omit<Member, 'scim'>

const presentMember = ({ scim: _scim, ...member }: Member): MemberView => member

/** A workspace's members, with their roles and groups. Changes apply to a member's credentials within seconds. */
export interface MembersService {
  list(by: Manager, query: PageQuery & { active?: boolean }): Promise<{ data: MemberView[]; total: number }>
  /** Returns the display names of the given members. Omits members without one. */
  listNames(workspaceId: string, actors: string[]): Promise<DisplayName[]>
  /** Whether the workspace has an owner. */
  hasOwner(by: Manager): Promise<boolean>
  /**
   * Adds a member, or replaces the given fields of an existing member. Throws ValidationError for invalid names,
   * Forbidden for roles and groups that the manager cannot grant or revoke, and Conflict for the last owner.
   */
  save(by: Manager, fields: MemberBody & { actor: string }): Promise<MemberView>
  /**
   * Removes a member, revokes their credentials and pauses triggers that act for them, in one transaction. A dry run
   * changes nothing. Throws NotFound if the person is not a member, Forbidden for a role that the manager does not
   * have, and Conflict for the last owner.
   */
  remove(by: Manager, actor: string, options?: { dry_run?: boolean }): Promise<Departure>
  /** Ends a member's access as `remove` does, but keeps the member's role, groups and profile. Throws like `remove`. */
  deactivate(by: Manager, actor: string, options?: { dry_run?: boolean }): Promise<Departure>
  /**
   * Makes a deactivated person a member again. Revoked credentials stay revoked. Throws NotFound if the person is not
   * deactivated, and Forbidden for a role that the manager does not have.
   */
  reactivate(by: Manager, actor: string): Promise<MemberView>
}

/** Creates the members service. */
export function createMembers({ db }: { db: Database }): MembersService {
  return {
    async list({ workspace_id }, { active = true, ...page }) {
      const { rows, total } = await db.inWorkspace(workspace_id, tx =>
        active ? listMembers(tx, page) : listDeactivated(tx, page),
      )
      return { data: rows.map(presentMember), total }
    },

    listNames: (workspaceId, actors) => db.inWorkspace(workspaceId, tx => listDisplayNames(tx, actors)),

    hasOwner: by => db.inWorkspace(by.workspace_id, async tx => (await lockOwners(tx)).length > 0),

    async save(by, { actor: name, groups, ...fields }) {
      const actor = checkActor(name)
      const checkedGroups = groups && checkGroups(groups)
      return db.inWorkspace(by.workspace_id, async tx => {
        const owners = await lockOwners(tx)
        const before = await lockMember(tx, actor)
        if (!before && (await lockDeactivated(tx, actor)))
          throw new Conflict(`${actor} is deactivated: reactivate the member first`)
        const after = mergeFields({ ...NEW_MEMBER, ...before, actor }, { ...fields, groups: checkedGroups })
        if (after.role !== before?.role) after.role_source = 'manual'
        after.group_sources = keepSources(after)
        await checkMemberChange(tx, by, { before, after })
        if (after.role !== 'owner') checkOwnerStays(owners, actor)
        await writeMember(tx, by, { before, after })
        return presentMember(after)
      })
    },

    remove: (by, actor, { dry_run = false } = {}) =>
      inTrial(db, by.workspace_id, dry_run, async tx => {
        const former = await lockDeactivated(tx, actor)
        if (former) checkRole(by, former.role)
        return former
          ? removeDeactivated(tx, by, former)
          : endMembership(tx, by, await lockOther(tx, by, actor), 'remove')
      }),

    deactivate: (by, actor, { dry_run = false } = {}) =>
      inTrial(db, by.workspace_id, dry_run, async tx =>
        endMembership(tx, by, await lockOther(tx, by, actor), 'deactivate'),
      ),

    reactivate: (by, actor) =>
      db.inWorkspace(by.workspace_id, async tx => {
        const former = await lockDeactivated(tx, actor)
        if (!former) throw new NotFound(`Deactivated member ${actor}`)
        checkRole(by, former.role)
        await restoreMembership(tx, by, former)
        return presentMember(former)
      }),
  }
}

/** The fields of a member without given values. */
export const NEW_MEMBER: Omit<Member, 'actor'> = {
  role: 'builder',
  groups: [],
  display_name: null,
  email: null,
  picture_url: null,
  group_sources: {},
  role_source: 'manual',
  scim: null,
}

/** Returns the sources of the groups that the member still has. */
const keepSources = ({ groups, group_sources }: Member): Member['group_sources'] =>
  Object.fromEntries(Object.entries(group_sources).filter(([group]) => groups.includes(group)))

/**
 * Stores a member and writes the audit entry. If the member loses groups, so do their keys.
 * @param details more details for the audit log
 */
export async function writeMember(
  tx: Tx,
  by: Manager,
  { before, after, details = {} }: { before?: Member; after: Member; details?: JsonObject },
): Promise<void> {
  const { actor, role, groups } = after
  await saveMember(tx, after)
  const removedGroups = (before?.groups ?? []).filter(group => !groups.includes(group))
  if (removedGroups.length > 0) await removeKeyGroups(tx, [actor], removedGroups)
  await writeAudit(tx, by, {
    action: 'member.set',
    target: actor,
    before,
    after,
    details: { role, groups, ...details },
  })
}

/** Replaces the fields that are given. */
const mergeFields = <T extends object>(object: T, fields: Partial<T>): T => ({
  ...object,
  ...Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)),
})

/** Locks a member whose membership the manager may end. Throws NotFound and Forbidden. */
async function lockOther(tx: Tx, by: Manager, actor: string): Promise<Member> {
  const member = await lockMember(tx, actor)
  if (!member) throw new NotFound(`Member ${actor}`)
  checkRole(by, member.role)
  return member
}

/** Deletes or deactivates a locked member and ends their access. Throws Conflict for the last owner. */
export async function endMembership(
  tx: Tx,
  by: Manager,
  member: Member,
  how: 'remove' | 'deactivate',
): Promise<Departure> {
  const { actor } = member
  checkOwnerStays(await lockOwners(tx), actor)
  await (how === 'remove' ? deleteMember(tx, actor) : deactivateMember(tx, actor))
  const departure = await endAccess(tx, by, member)
  const details = { revoked: departure.revoked.length, switched_off: departure.switched_off.length }
  await writeAudit(tx, by, { action: `member.${how}`, target: actor, before: member, details })
  return departure
}

/** Deletes a deactivated member, whose access has already ended. Returns the work that is still open. */
export async function removeDeactivated(tx: Tx, by: Manager, former: Member): Promise<Departure> {
  await deleteMember(tx, former.actor)
  const departure = await endAccess(tx, by, former)
  await writeAudit(tx, by, { action: 'member.remove', target: former.actor, before: former })
  return departure
}

/** Makes a deactivated person a member again. */
export async function restoreMembership(tx: Tx, by: Manager, former: Member): Promise<void> {
  await reactivateMember(tx, former.actor)
  const { role, groups } = former
  await writeAudit(tx, by, {
    action: 'member.reactivate',
    target: former.actor,
    after: former,
    details: { role, groups },
  })
}

/** Throws Conflict if the change would remove the only owner. */
export function checkOwnerStays(owners: string[], actor: string): void {
  if (owners.length === 1 && owners[0] === actor) throw new Conflict('The workspace must have at least one owner')
}

/** Runs the given function in a transaction. A dry run is rolled back. */
async function inTrial<T>(
  db: Database,
  workspaceId: string,
  isTrial: boolean,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  let result: { value: T } | undefined
  const rollback = new Error('The dry run is rolled back')
  try {
    return await db.inWorkspace(workspaceId, async tx => {
      const value = await work(tx)
      if (!isTrial) return value
      result = { value }
      throw rollback
    })
  } catch (error) {
    if (error !== rollback || !result) throw error
    return result.value
  }
}
