import type { Tx } from './database.ts'

/** An open intervention with the number of callers who may answer it. */
export interface Eligibility {
  id: string
  node_id: string
  node_key: string
  title: string
  quorum: number
  /** Members and holders of valid API keys; a service key counts as one. */
  eligible: number
}

/**
 * Counts who may answer each of these interventions, as members, groups and API keys are now. Interventions that are not
 * open are left out. Members count also without a key, because they can get one.
 */
export async function countEligible(tx: Tx, interventionIds: string[]): Promise<Eligibility[]> {
  return tx.query<Eligibility[]>(
    `select asked.id, asked.node_id, asked.node_key, asked.title, asked.quorum,
            (select count(distinct caller.actor)::integer
               from (select actor, groups from members
                     union all
                     select coalesce(actor, 'key:' || name), groups from api_keys
                      where revoked_at is null and (expires_at is null or expires_at > now())
                        and (brain_ids is null or jobs.brain_id is null or jobs.brain_id = any(brain_ids))) caller
              where caller.actor is distinct from asked.excluded
                and (cardinality(asked.assignees) = 0 or caller.actor = any(asked.assignees)
                     or caller.groups && asked.assignees)) as eligible
       from interventions asked join jobs on jobs.job_id = asked.job_id
      where asked.id = any($1) and asked.status = 'open' and asked.opened_at is not null
      order by asked.opened_at, asked.id`,
    [interventionIds],
  )
}
