import { countEligible } from '../people/eligible-people-store.ts'
import type { Tx } from '../shared/database.ts'
import type { Credential } from '../shared/entities/access.ts'
import type { Member } from './members-store.ts'
import { TRIGGER_PERSON } from '../triggers/trigger-states-store.ts'

/** What a person had to do with an open task. */
export interface TaskOfPerson {
  id: string
  job_id: string
  title: string
  assignees: string[]
  is_claimed: boolean
  is_delegated: boolean
}

/** A live resource that a person was the last to save. */
export interface OwnedResource {
  id: string
  slug: string
  title: string
}

/** Revokes the credentials that act as the person, those they own, and the links and tokens that they made. */
export async function revokeCredentialsBehind(tx: Tx, actor: string): Promise<Credential[]> {
  const [rows] = await tx.query<[Credential[], number]>(
    `update credentials set revoked_at = now()
      where revoked_at is null and (expires_at is null or expires_at > now())
        and (actor = $1 or owner = $1
             or (created_by = $1 and kind in ('share_token', 'hook_token', 'sign_in_link')))
     returning *`,
    [actor],
  )
  return rows
}

/** Takes groups away from the API keys that act as the person or belong to them. */
export async function removeKeyGroups(tx: Tx, actor: string, groups: string[]): Promise<void> {
  await tx.query(
    `update credentials set groups = array(select unnest(groups) except select unnest($2::text[]))
      where kind = 'api_key' and (actor = $1 or owner = $1) and groups && $2::text[]`,
    [actor, groups],
  )
}

const MAX_TASKS = 1_000

/** Lists the open tasks that name the person or a group of theirs, oldest first. */
export async function listTasksOf(
  tx: Tx,
  { actor, groups }: Pick<Member, 'actor' | 'groups'>,
): Promise<TaskOfPerson[]> {
  return tx.query<TaskOfPerson[]>(
    `select * from (
       select id, job_id, title, assignees, opened_at,
              $1 in (handling -> 'claim' ->> 'by', handling -> 'claim' ->> 'person') is true as is_claimed,
              exists (select from json_array_elements(handling -> 'delegations') delegation
                       where $1 in (delegation ->> 'from', delegation ->> 'to')) as is_delegated
         from interventions where status = 'open' and opened_at is not null) task
      where is_claimed or is_delegated or $1 = any(assignees) or assignees && $2::text[]
      order by opened_at, id limit ${MAX_TASKS}`,
    [actor, groups],
  )
}

/** Returns the ids of those tasks that fewer people may answer than must. */
export async function findUnanswerable(tx: Tx, ids: string[]): Promise<Set<string>> {
  const counted = await countEligible(tx, ids)
  return new Set(counted.filter(({ eligible, quorum }) => eligible < quorum).map(({ id }) => id))
}

/** Lists the live triggers whose person is this one, by slug: those that they saved last or were handed. */
export async function listTriggersOf(tx: Tx, actor: string): Promise<OwnedResource[]> {
  return tx.query<OwnedResource[]>(
    `select id, slug, title from resources
      where kind = 'triggers' and deleted_at is null and ${TRIGGER_PERSON} = $1 order by slug`,
    [actor],
  )
}

/** Lists the live receptors that a person saved last, by slug. */
export async function listReceptorsOf(tx: Tx, actor: string): Promise<OwnedResource[]> {
  return tx.query<OwnedResource[]>(
    `select id, slug, title from resources
      where kind = 'receptors' and deleted_at is null
        and (select author from resource_versions where resource_id = resources.id and version = resources.version) = $1
      order by slug`,
    [actor],
  )
}
