import { countEligible } from '../people/eligible-people-store.ts'
import type { Tx } from '../shared/database.ts'
import { execute, select } from '../shared/statements.ts'
import { boolean, list, pick, present, type Row } from '../shared/table.ts'
import { interventionsTable } from '../people/tables.ts'
import { resourcesTable } from '../resources/tables.ts'
import { CREDENTIAL, type Credential } from './credentials-store.ts'
import type { Member } from './members-store.ts'
import { TRIGGER_PERSON } from '../triggers/trigger-states-store.ts'

const TASK = {
  ...pick(interventionsTable, 'id', 'job_id', 'assignees'),
  title: present(interventionsTable.columns.title),
}
const OWN_TASK = { ...TASK, is_claimed: boolean(), is_delegated: boolean() }
/** A person's role in an open task. */
export type TaskOfPerson = Row<typeof OWN_TASK>

const OWNED = pick(resourcesTable, 'id', 'slug', 'title')
/** A live trigger or receptor for which the person is responsible. */
export type OwnedResource = Row<typeof OWNED>

/**
 * Revokes credentials that act as the person or belong to the person, and links and tokens that the person created.
 * Returns them by kind, oldest first.
 */
export async function revokeCredentialsBehind(tx: Tx, actor: string): Promise<Credential[]> {
  return select(
    tx,
    CREDENTIAL,
    `with revoked as (
       update credentials set revoked_at = now()
        where revoked_at is null and (expires_at is null or expires_at > now())
          and (actor = $1 or owner = $1
               or (created_by = $1 and kind in ('share_token', 'hook_token', 'sign_in_link')))
       returning ${list(CREDENTIAL)}
     )
     select ${list(CREDENTIAL)} from revoked order by kind, created_at, id`,
    [actor],
  )
}

/** Removes groups from the API keys that act as one of the people or belong to them. */
export async function removeKeyGroups(tx: Tx, actors: string[], groups: string[]): Promise<void> {
  await execute(
    tx,
    `update credentials set groups = array(select unnest(groups) except select unnest($2::text[]))
      where kind = 'api_key' and (actor = any($1) or owner = any($1)) and groups && $2::text[]`,
    [actors, groups],
  )
}

const MAX_TASKS = 1_000

/** Lists the open tasks that name the person or one of their groups, oldest first. */
export async function listTasksOf(
  tx: Tx,
  { actor, groups }: Pick<Member, 'actor' | 'groups'>,
): Promise<TaskOfPerson[]> {
  return select(
    tx,
    OWN_TASK,
    `select ${list(OWN_TASK)} from (
       select ${list(TASK)}, opened_at,
              $1 in (handling -> 'claim' ->> 'by', handling -> 'claim' ->> 'person') is true as is_claimed,
              exists (select from json_array_elements(handling -> 'delegations') delegation
                       where $1 in (delegation ->> 'from', delegation ->> 'to')) as is_delegated
         from interventions where status = 'open' and opened_at is not null) task
      where is_claimed or is_delegated or $1 = any(assignees) or assignees && $2::text[]
      order by opened_at, id limit ${MAX_TASKS}`,
    [actor, groups],
  )
}

/** Returns the ids of the given tasks that require more answers than there are eligible people. */
export async function findUnanswerable(tx: Tx, ids: string[]): Promise<Set<string>> {
  const counted = await countEligible(tx, ids)
  return new Set(counted.filter(({ eligible, quorum }) => eligible < quorum).map(({ id }) => id))
}

/** Lists the live or the deleted triggers that the person saved last or took over, ordered by slug. */
export async function listTriggersOf(tx: Tx, actor: string, { deleted = false } = {}): Promise<OwnedResource[]> {
  return select(
    tx,
    OWNED,
    `select ${list(OWNED)} from resources
      where kind = 'triggers' and (deleted_at is not null) = $2 and purged_at is null and ${TRIGGER_PERSON} = $1
      order by slug`,
    [actor, deleted],
  )
}

/** Lists the live receptors that the person saved last, ordered by slug. */
export async function listReceptorsOf(tx: Tx, actor: string): Promise<OwnedResource[]> {
  return select(
    tx,
    OWNED,
    `select ${list(OWNED)} from resources
      where kind = 'receptors' and deleted_at is null
        and (select author from resource_versions where resource_id = resources.id and version = resources.version) = $1
      order by slug`,
    [actor],
  )
}
