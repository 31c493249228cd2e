import { KEY_PERMISSIONS, ROLE_NAMES, ROLES, type Permission } from '../../domain/access/permissions.ts'
import type { Tx } from '../shared/database.ts'
import { select } from '../shared/statements.ts'
import { integer, list, pick, present, text, type Row } from '../shared/table.ts'
import { interventionsTable } from './tables.ts'

const { node_id, node_key, title, quorum } = interventionsTable.columns
const OPENED = {
  ...pick(interventionsTable, 'id'),
  node_id: present(node_id),
  node_key: present(node_key),
  title: present(title),
  quorum: present(quorum),
}
const ELIGIBILITY = {
  ...OPENED,
  /**
   * The number of members, owners of valid API keys, and visitors who may answer. A service key without an owner
   * counts as one person, and so do a share token and a guest who writes by mail.
   */
  eligible: integer(),
}
/** The number of people who may answer an open intervention. */
export type Eligibility = Row<typeof ELIGIBILITY>

/** Returns those of the given names that match no member, group or API key. */
export async function findUnknownNames(tx: Tx, names: string[]): Promise<string[]> {
  const unknown = await select(
    tx,
    { name: text() },
    `select asked.name from unnest($1::text[]) as asked (name)
      where not exists (select from members where actor = asked.name or asked.name = any(groups))
        and not exists (select from credentials
                         where kind = 'api_key' and revoked_at is null
                           and (coalesce(actor, 'key:' || credentials.name) = asked.name or asked.name = any(groups)))`,
    [names],
  )
  return unknown.map(({ name }) => name)
}

const ANSWER: Permission = 'interventions:answer'
const ANSWERING_ROLES = ROLE_NAMES.filter(role => (ROLES[role] as readonly Permission[]).includes(ANSWER))

/**
 * Counts the people who may answer each open intervention, based on the current members, groups and API keys. Members
 * without an API key are included, because they can get one.
 */
export async function countEligible(tx: Tx, interventionIds: string[]): Promise<Eligibility[]> {
  return select(
    tx,
    ELIGIBILITY,
    `select ${list(OPENED, 'intervention')},
            (select count(distinct caller.person)::integer
               from (select actor, actor as person, null as maker, groups from members where role = any($2)
                     union all
                     select coalesce(actor, 'key:' || name), coalesce(actor, owner, 'key:' || name),
                            created_by, groups
                       from credentials
                      where kind = 'api_key' and coalesce(permissions, $3) && $4 and revoked_at is null and (expires_at is null or expires_at > now())
                        and (brain_ids is null or jobs.brain_id = any(brain_ids)
                             or (jobs.brain_id is null and cardinality(intervention.assignees) > 0))
                     union all
                     select 'share:' || id, 'share:' || id, created_by, '{}'
                       from credentials
                      where kind = 'share_token' and 'write' = any(rights) and revoked_at is null
                        and (expires_at is null or expires_at > now())
                        and 'share:' || id = any(intervention.assignees)
                     union all
                     select name, name, null, '{}'
                       from unnest(intervention.assignees) name where name like 'guest:%') caller
              where not array[caller.actor, caller.person, caller.maker] && intervention.excluded
                and not exists (select from json_array_elements(intervention.handling -> 'delegations') delegation
                                 where delegation ->> 'from' = caller.person)
                and (cardinality(intervention.assignees) = 0 or caller.actor = any(intervention.assignees)
                     or caller.groups && intervention.assignees
                     or exists (select from absences
                                 where substitute = caller.actor and absences.actor = any(intervention.assignees)
                                   and starts_at <= now() and (ends_at is null or ends_at > now())))) as eligible
       from interventions intervention join jobs on jobs.job_id = intervention.job_id
      where intervention.id = any($1) and intervention.status = 'open' and intervention.opened_at is not null
      order by intervention.opened_at, intervention.id`,
    [interventionIds, ANSWERING_ROLES, KEY_PERMISSIONS, [ANSWER]],
  )
}
