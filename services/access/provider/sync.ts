import { isDeepStrictEqual } from 'node:util'
import type { Config } from '../../../config/config.ts'
import { findOwnSlug } from '../../../data/access/access-store.ts'
import { lockDeactivated, lockMember, lockOwners, type Member } from '../../../data/access/members-store.ts'
import type { Tx } from '../../../data/shared/database.ts'
import { type GroupSource, ROLE_NAMES } from '../../../domain/access/permissions.ts'
import type { Manager } from '../manager.ts'
import { NEW_MEMBER, writeMember } from '../members.ts'
import type { ProvidedFields } from './claims.ts'

export interface SyncSettings extends Pick<Config, 'PROVISIONED_ROLE'> {
  OIDC_CREATE_MEMBERS: readonly string[]
}

/**
 * Updates the member who signs in with the fields from the identity provider, and creates the member in the workspaces
 * that allow it, unless the member is deactivated. Groups and roles that were set by hand, or by SCIM, are never
 * removed. The only owner stays an owner.
 */
export async function syncMember(
  tx: Tx,
  by: Manager,
  { profile, groups, roles }: ProvidedFields,
  settings: SyncSettings,
): Promise<void> {
  const { actor, workspace_id } = by
  const owners = await lockOwners(tx)
  const before = await lockMember(tx, actor)
  const slug = (await findOwnSlug(tx, workspace_id)) ?? ''
  if (!before && (!settings.OIDC_CREATE_MEMBERS.includes(slug) || (await lockDeactivated(tx, actor)))) return
  const created: Member = { ...NEW_MEMBER, actor, role: settings.PROVISIONED_ROLE, role_source: 'oidc' }
  const present = before ?? created
  const own = roles?.filter(({ workspace = slug }) => workspace === slug).map(({ role }) => role)
  const mapped = own && ROLE_NAMES.find(role => own.includes(role))
  const lost = own && present.role_source === 'oidc' ? settings.PROVISIONED_ROLE : undefined
  const role = mapped ?? lost
  const isOnlyOwner = owners.length === 1 && owners[0] === actor
  const after = {
    ...present,
    display_name: profile.display_name ?? present.display_name,
    email: profile.email ?? present.email,
    picture_url: profile.picture_url ?? present.picture_url,
    ...(role && !isOnlyOwner && ({ role, role_source: 'oidc' } as const)),
    ...(groups && replaceGroups(present, 'oidc', groups)),
  }
  if (isDeepStrictEqual(before, after)) return
  await writeMember(tx, by, { before, after, details: { source: 'oidc' } })
}

/** Replaces the groups that come from this source. All other groups stay. */
export function replaceGroups(
  { groups, group_sources }: Member,
  source: GroupSource,
  provided: string[],
): Pick<Member, 'groups' | 'group_sources'> {
  const others = groups.filter(group => group_sources[group] !== source)
  const own = provided.filter(group => !others.includes(group))
  const sources = Object.entries(group_sources).filter(([group]) => others.includes(group))
  return {
    groups: [...others, ...own],
    group_sources: Object.fromEntries([...sources, ...own.map(group => [group, source] as const)]),
  }
}
