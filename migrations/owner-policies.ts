import type { Client } from 'pg'

/** Functions that count rows of all workspaces, run as their owner. */
const COUNTING = ['read_backlog', 'read_index_failures']
/** Tables that these functions read. The policy `backlog` lets their owner see all rows. */
const COUNTED = ['jobs', 'interventions', 'event_outbox', 'search_outbox', 'webhook_deliveries']

/**
 * Creates missing policies that name the function owner. A restore under another owner omits them, or creates them
 * for a role that is no longer the owner.
 */
export async function restoreOwnerPolicies(client: Client): Promise<void> {
  const { rows: owners } = await client.query<{ name: string }>(
    `select distinct pg_get_userbyid(proowner) as name from pg_proc
      where proname = any($1) and pronamespace = 'public'::regnamespace`,
    [COUNTING],
  )
  const names = owners.map(({ name }) => name)
  const { rows: missing } = await client.query<{ name: string }>(
    `select name from unnest($1::text[]) as counted (name)
      where not exists (select from pg_policies
                         where schemaname = 'public' and tablename = counted.name and policyname = 'backlog'
                           and $2::name[] <@ roles)`,
    [COUNTED, names],
  )
  const roles = names.map(name => client.escapeIdentifier(name)).join(', ')
  for (const { name } of missing)
    await client.query(
      `drop policy if exists backlog on ${name}; create policy backlog on ${name} for select to ${roles} using (true)`,
    )
}
