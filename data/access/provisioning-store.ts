import type { Filter } from 'scim2-parse-filter'
import { isDuplicate } from '../shared/database-errors.ts'
import type { Tx } from '../shared/database.ts'
import { createFilter, type Page } from '../shared/page.ts'
import { execute, insert, requireRow, select, selectOne, update } from '../shared/statements.ts'
import { bigint, boolean, type Columns, list, omit, pick, type Row, texts } from '../shared/table.ts'
import { Conflict } from '../../domain/shared/errors.ts'
import { removeKeyGroups } from './departures-store.ts'
import { DEACTIVATED, MEMBER, type Member } from './members-store.ts'
import { buildCondition, type FilterColumns } from './scim-filter.ts'
import { deactivatedMembersTable, membersTable, provisionedGroupsTable } from './tables.ts'

/** Members and deactivated members. */
const PEOPLE = `(select *, true as active from members union all select *, false from ${DEACTIVATED}) people`
const PERSON = { ...MEMBER, active: boolean() }
/** A member, or a deactivated member. */
export type Person = Row<typeof PERSON>

const GROUP = omit(provisionedGroupsTable, 'workspace_id')
/** A group that a SCIM client created. */
export type ProvisionedGroup = Row<typeof GROUP>

export interface ListRange {
  limit: number
  offset: number
}

const nameOf = (table: string) => `substring(${table}.actor from position(':' in ${table}.actor) + 1)`

const emailsOf = `coalesce(nullif(people.scim -> 'emails', 'null'), jsonb_build_array(jsonb_build_object('value', people.email)))`

const USER_FILTER: FilterColumns = {
  id: { sql: 'people.actor', isExact: true, isId: true },
  username: { sql: `coalesce(people.scim ->> 'userName', ${nameOf('people')})` },
  externalid: { sql: `people.scim ->> 'externalId'`, isExact: true },
  displayname: { sql: 'people.display_name' },
  'name.givenname': { sql: `people.scim #>> '{name,givenName}'` },
  'name.familyname': { sql: `people.scim #>> '{name,familyName}'` },
  'name.formatted': { sql: `people.scim #>> '{name,formatted}'` },
  active: { sql: 'people.active::text' },
  emails: { elements: emailsOf, fields: ['value', 'type', 'primary'] },
  roles: { elements: `jsonb_build_array(jsonb_build_object('value', people.role))`, fields: ['value'] },
}

const GROUP_FILTER: FilterColumns = {
  id: { sql: 'provisioned_groups.name', isExact: true, isId: true },
  displayname: { sql: 'provisioned_groups.display_name' },
  externalid: { sql: 'provisioned_groups.external_id', isExact: true },
  members: {
    elements: `(select coalesce(jsonb_agg(jsonb_build_object('value', people.actor)), '[]') from ${PEOPLE}
                 where people.group_sources ->> provisioned_groups.name = 'scim')`,
    fields: ['value'],
    isId: true,
  },
}

/** Reads some rows and the exact total. */
async function readRange<C extends Columns>(
  tx: Tx,
  { columns, from, order }: { columns: C; from: string; order: string },
  condition: ReturnType<typeof createFilter>,
  { limit, offset }: ListRange,
): Promise<Page<Row<C>>> {
  const where = condition.text()
  const { parameters } = condition
  const counted = await selectOne(tx, TOTAL, `select count(*) as total from ${from} ${where}`, parameters)
  const place = parameters.length
  const rows = await select(
    tx,
    columns,
    `select ${list(columns)} from ${from} ${where} order by ${order} limit $${place + 1} offset $${place + 2}`,
    [...parameters, limit, offset],
  )
  return { rows, total: requireRow(counted).total }
}

const TOTAL = { total: bigint() }

/** Lists members and deactivated members that match a SCIM filter, ordered by name. */
export async function listPeople(tx: Tx, filter: Filter | undefined, range: ListRange): Promise<Page<Person>> {
  const condition = createFilter()
  if (filter) condition.add(buildCondition(filter, USER_FILTER, condition.bind))
  return readRange(tx, { columns: PERSON, from: PEOPLE, order: 'actor' }, condition, range)
}

/** Finds a member or deactivated member, and locks the row until the transaction ends. */
export async function lockPerson(tx: Tx, actor: string): Promise<Person | undefined> {
  await execute(tx, 'select from members where actor = $1 for update', [actor])
  await execute(tx, 'select from deactivated_members where actor = $1 for update', [actor])
  return selectOne(tx, PERSON, `select ${list(PERSON)} from ${PEOPLE} where actor = $1`, [actor])
}

/** Replaces the fields of a deactivated member. */
export async function saveDeactivated(tx: Tx, member: Member): Promise<void> {
  await execute(tx, 'update deactivated_members set member = member || $2::jsonb where actor = $1', [
    member.actor,
    JSON.stringify(member),
  ])
}

/** Lists groups that match a SCIM filter, ordered by name. */
export async function listGroups(
  tx: Tx,
  filter: Filter | undefined,
  range: ListRange,
): Promise<Page<ProvisionedGroup>> {
  const condition = createFilter()
  if (filter) condition.add(buildCondition(filter, GROUP_FILTER, condition.bind))
  return readRange(tx, { columns: GROUP, from: provisionedGroupsTable.name, order: 'name' }, condition, range)
}

/** Finds a group and locks the row until the transaction ends. */
export async function lockGroup(tx: Tx, name: string): Promise<ProvisionedGroup | undefined> {
  return selectOne(tx, GROUP, `select ${list(GROUP)} from provisioned_groups where name = $1 for update`, [name])
}

/** Inserts a group. Throws Conflict when the name is taken. */
export async function insertGroup(tx: Tx, group: ProvisionedGroup): Promise<void> {
  await insert(tx, provisionedGroupsTable, group).catch((error: unknown) => {
    throw isDuplicate(error, 'provisioned_groups_pkey') ? new Conflict(`The group ${group.name} already exists`) : error
  })
}

export async function updateGroup(tx: Tx, { name, ...fields }: ProvisionedGroup): Promise<void> {
  await update(tx, provisionedGroupsTable, fields, 'name = $1', [name])
}

export async function deleteGroup(tx: Tx, name: string): Promise<void> {
  await execute(tx, 'delete from provisioned_groups where name = $1', [name])
}

const MEMBERSHIP = { ...pick(membersTable, 'actor'), names: texts() }

/** Lists the people whom a SCIM client added to these groups, with the names of those groups. */
export async function listMemberships(tx: Tx, names: string[]): Promise<Row<typeof MEMBERSHIP>[]> {
  return select(
    tx,
    MEMBERSHIP,
    `select actor, names from ${PEOPLE}, lateral (
       select array(select key from jsonb_each_text(group_sources) where value = 'scim' and key = any($1)) as names) own
      where cardinality(names) > 0 order by actor`,
    [names],
  )
}

const ACTOR = pick(membersTable, 'actor')

/** Returns those of the given people who are neither members nor deactivated members. */
export async function findStrangers(tx: Tx, actors: string[]): Promise<string[]> {
  const people = await select(tx, ACTOR, `select actor from ${PEOPLE} where actor = any($1)`, [actors])
  const names = new Set(people.map(({ actor }) => actor))
  return actors.filter(actor => !names.has(actor))
}

/** Adds people to a group, with SCIM as the source. */
export async function addToGroup(tx: Tx, name: string, actors: string[]): Promise<void> {
  const sources = `group_sources || jsonb_build_object($1::text, 'scim')`
  await execute(
    tx,
    `update members set group_sources = ${sources},
            groups = case when $1 = any(groups) then groups else groups || $1::text end
      where actor = any($2)`,
    [name, actors],
  )
  await updateDeactivatedGroups(tx, sources, `case when $1 = any(groups) then groups else groups || $1::text end`, [
    name,
    actors,
  ])
}

/** Removes people from a group whose source is SCIM, and the group from their API keys. */
export async function removeFromGroup(tx: Tx, name: string, actors: string[]): Promise<void> {
  const sources = 'group_sources - $1::text'
  await execute(
    tx,
    `update members set group_sources = ${sources}, groups = array_remove(groups, $1::text) where actor = any($2)`,
    [name, actors],
  )
  await updateDeactivatedGroups(tx, sources, 'array_remove(groups, $1::text)', [name, actors])
  await removeKeyGroups(tx, actors, [name])
}

const updateDeactivatedGroups = (tx: Tx, sources: string, groups: string, parameters: unknown[]) =>
  execute(
    tx,
    `update ${deactivatedMembersTable.name} set member = member || changed.fields
       from (select actor, jsonb_build_object('group_sources', ${sources}, 'groups', to_jsonb(${groups})) as fields
               from ${DEACTIVATED}) changed
      where changed.actor = ${deactivatedMembersTable.name}.actor and changed.actor = any($2)`,
    parameters,
  )
