import { KEY_PERMISSIONS, ROLE_NAMES, ROLES, type Permission } from '../../domain/access/permissions.ts'
import type { Tx } from '../shared/database.ts'

/** An open intervention with the number of callers who may answer it. */
export interface Eligibility {
  id: string
  node_id: string
  node_key: string
  title: string
  quorum: number
  /** Members, owners of valid API keys, and visitors. A service key without an owner and a share token count as one. */
  eligible: number
}

/** Returns the names that neither a member, a group nor an API key has. */
export async function findUnknownNames(tx: Tx, names: string[]): Promise<string[]> {
  const unknown = await tx.query<{ name: string }[]>(
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
 * Counts the people that may answer each open intervention, by the current members, groups and API keys. Members count
 * also without a key, because they can get one.
 */
export async function countEligible(tx: Tx, interventionIds: string[]): Promise<Eligibility[]> {
  return tx.query<Eligibility[]>(
    `select intervention.id, intervention.node_id, intervention.node_key, intervention.title, intervention.quorum,
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
                        and 'share:' || id = any(intervention.assignees)) caller
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
