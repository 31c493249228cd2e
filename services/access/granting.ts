import type { Tx } from '../../data/shared/database.ts'
import { listMembersOf, type Member } from '../../data/access/members-store.ts'
import { MANAGING_ROLES, type Permission, type Role, ROLES } from '../../domain/access/permissions.ts'
import { Forbidden } from '../../domain/shared/errors.ts'
import type { Manager } from './manager.ts'

/**
 * Managers cannot grant or revoke permissions that they do not have. The operator has no permissions here and may do
 * everything.
 */

/** Throws Forbidden for permissions that the manager does not have. */
export function checkPermissions({ permissions: ownPermissions }: Manager, permissions: readonly Permission[]): void {
  const missing = ownPermissions && permissions.find(permission => !ownPermissions.has(permission))
  if (missing) throw new Forbidden(`You cannot give the permission "${missing}" because you do not have it`)
}

/** Throws Forbidden if the manager does not belong to all of the key's groups. */
export function checkKeyGroups({ permissions, groups: ownGroups = [] }: Manager, groups: readonly string[]): void {
  const foreign = permissions && groups.find(group => !ownGroups.includes(group))
  if (foreign) throw new Forbidden(`You cannot give a key the group "${foreign}" because you do not belong to it`)
}

/** A member before and after a change. */
interface MemberChange {
  before?: Member
  after: Member
}

/** Checks whether the manager may change a member in this way. Throws Forbidden. */
export async function checkMemberChange(tx: Tx, by: Manager, { before, after }: MemberChange): Promise<void> {
  if (by.permissions === undefined) return
  if (before?.role === 'owner') checkRole(by, 'owner')
  if (before && before.role !== after.role) checkRole(by, before.role)
  if (before?.role !== after.role) checkRole(by, after.role)
  await checkMemberGroups(tx, by, { before, after })
}

/** Throws Forbidden for a role that includes a permission that the manager does not have. */
export function checkRole({ permissions: ownPermissions }: Manager, role: Role): void {
  const missing = ownPermissions && ROLES[role].find(permission => !ownPermissions.has(permission))
  if (missing) throw new Forbidden(`You cannot give or revoke the role "${role}": you do not have "${missing}"`)
}

async function checkMemberGroups(tx: Tx, by: Manager, { before, after }: MemberChange): Promise<void> {
  const newGroups = after.groups.filter(group => !before?.groups.includes(group))
  if (newGroups.length === 0) return
  const foreign = newGroups.find(group => !by.groups?.includes(group))
  if (foreign && !by.permissions?.has('owners:manage'))
    throw new Forbidden(`You cannot add a member to "${foreign}": only its members and owners can`)
  // Groups decide who may answer tasks, so another person must change a manager's own groups.
  if (after.actor !== by.person) return
  const others = (await listMembersOf(tx, MANAGING_ROLES)).filter(actor => actor !== by.person)
  if (others.length > 0)
    throw new Forbidden(
      `You cannot add yourself to "${newGroups[0] ?? ''}": ask ${others[0] ?? ''}, who also manages access`,
    )
}
