import type { Role } from '../../domain/access/permissions.ts'
import type { Tx } from '../shared/database.ts'
import { execute, insert, select, selectOne } from '../shared/statements.ts'
import { list, omit, pick, present, type Row } from '../shared/table.ts'
import { membersTable } from './tables.ts'
import { createFilter, readPage, type Page } from '../shared/page.ts'

/** The columns of a member. */
export const MEMBER = omit(membersTable, 'workspace_id')
/** A member of the workspace. */
export type Member = Row<typeof MEMBER>

const ACTOR = pick(membersTable, 'actor')
const DISPLAY_NAME = { ...ACTOR, display_name: present(membersTable.columns.display_name) }
/** The display name of a member. */
export type DisplayName = Row<typeof DISPLAY_NAME>

/** The row of a deactivated member, in the form of a row of `members`. */
const FORMER = 'jsonb_populate_record(null::members, member) former'
/** Deactivated members, as rows of `members`. */
export const DEACTIVATED = `(select former.* from deactivated_members, ${FORMER}) deactivated`

const FIELDS = omit(membersTable, 'workspace_id', 'actor')

/** How a member is shown and reached. */
export type MemberProfile = Pick<Member, 'display_name' | 'email' | 'picture_url'>

/** The fields of a member to write. */
export type NewMember = Pick<Member, 'actor' | 'role' | 'groups'> & Partial<Member>

/** Inserts a member, or replaces all fields of an existing member. */
export async function saveMember(tx: Tx, member: NewMember): Promise<void> {
  await insert(
    tx,
    membersTable,
    member,
    `on conflict (workspace_id, actor) do update set (${list(FIELDS)}) = row(${list(FIELDS, 'excluded')})`,
  )
}

export async function findMember(tx: Tx, actor: string): Promise<Member | undefined> {
  return selectOne(tx, MEMBER, `select ${list(MEMBER)} from members where actor = $1`, [actor])
}

/** Returns the display names of the given members. Omits members without one. */
export async function listDisplayNames(tx: Tx, actors: string[]): Promise<DisplayName[]> {
  return select(
    tx,
    DISPLAY_NAME,
    `select ${list(DISPLAY_NAME)} from (select * from members union all select * from ${DEACTIVATED}) people
      where actor = any($1) and display_name is not null order by actor`,
    [actors],
  )
}

/** Returns a page of workspace members, ordered by name. */
export async function listMembers(tx: Tx, page: { limit: number; offset: number }): Promise<Page<Member>> {
  return readPage(tx, { columns: MEMBER, from: 'members', order: 'actor', ...page }, createFilter())
}

/** Returns a page of deactivated members, ordered by name. */
export async function listDeactivated(tx: Tx, page: { limit: number; offset: number }): Promise<Page<Member>> {
  return readPage(tx, { columns: MEMBER, from: DEACTIVATED, order: 'actor', ...page }, createFilter())
}

/** Finds a deactivated member and locks the row until the transaction ends. */
export async function lockDeactivated(tx: Tx, actor: string): Promise<Member | undefined> {
  return selectOne(
    tx,
    MEMBER,
    `select ${list(MEMBER, 'former')} from deactivated_members, ${FORMER} where deactivated_members.actor = $1
        for update of deactivated_members`,
    [actor],
  )
}

/** Moves a member to the deactivated members. */
export async function deactivateMember(tx: Tx, actor: string): Promise<void> {
  await execute(
    tx,
    `with gone as (delete from members where actor = $1 returning *)
     insert into deactivated_members (actor, member) select actor, to_jsonb(gone) from gone`,
    [actor],
  )
}

/** Moves a deactivated member back to the members. */
export async function reactivateMember(tx: Tx, actor: string): Promise<void> {
  await execute(
    tx,
    `with back as (delete from deactivated_members where actor = $1 returning member)
     insert into members select former.* from back, ${FORMER}`,
    [actor],
  )
}

/** Finds a member and locks the row until the transaction ends. */
export async function lockMember(tx: Tx, actor: string): Promise<Member | undefined> {
  return selectOne(tx, MEMBER, `select ${list(MEMBER)} from members where actor = $1 for update`, [actor])
}

/** Lists the actors of all members with one of these roles, ordered by name. */
export async function listMembersOf(tx: Tx, roles: Role[]): Promise<string[]> {
  const rows = await select(tx, ACTOR, 'select actor from members where role = any($1) order by actor', [roles])
  return rows.map(({ actor }) => actor)
}

/** Locks the owners against concurrent changes, and returns their actors. */
export async function lockOwners(tx: Tx): Promise<string[]> {
  const rows = await select(tx, ACTOR, `select actor from members where role = 'owner' for update`)
  return rows.map(({ actor }) => actor)
}

/** Deletes a member, or a deactivated member. */
export async function deleteMember(tx: Tx, actor: string): Promise<void> {
  await execute(tx, 'delete from members where actor = $1', [actor])
  await execute(tx, 'delete from deactivated_members where actor = $1', [actor])
}

/** Returns those of the given actors who are members. */
export async function findMembers(tx: Tx, actors: string[]): Promise<Member[]> {
  return select(tx, MEMBER, `select ${list(MEMBER)} from members where actor = any($1)`, [actors])
}
