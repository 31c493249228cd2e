import { union } from '../../domain/people/handling.ts'
import { isPrincipalName } from '../../domain/access/principal.ts'
import type { Tx } from '../shared/database.ts'
import { select } from '../shared/statements.ts'
import { pick, text } from '../shared/table.ts'
import { resourceVersionsTable } from '../resources/tables.ts'

const NAME = { name: text() }

/**
 * Returns the given names and the people behind them. For a service key, these are its owner and creator; for a share
 * token, its creator, because the creator has seen the token. Omits names that no principal can have.
 */
export async function listPeopleBehind(tx: Tx, names: string[]): Promise<string[]> {
  const principalNames = names.filter(isPrincipalName)
  if (!principalNames.some(isCredentialName)) return union(principalNames, [])
  const rows = await select(
    tx,
    NAME,
    `with recursive behind (name) as (
       select unnest($1::text[])
       union
       select maker.name
         from behind join credentials
           on (kind = 'api_key' and actor is null and 'key:' || credentials.name = behind.name)
           or (kind = 'share_token' and 'share:' || credentials.id = behind.name)
         cross join unnest(array[owner, created_by]) as maker (name)
     )
     select name from behind where name is not null`,
    [principalNames],
  )
  return union(principalNames, rows.map(({ name }) => name).filter(isPrincipalName))
}

const isCredentialName = (name: string): boolean => name.startsWith('key:') || name.startsWith('share:')

/**
 * Returns those of the given names under which at least one of the people could answer an intervention. These are their
 * own names and groups, the names and groups of their keys, and the people whom they may substitute.
 */
export async function listOwnNames(tx: Tx, people: string[], names: string[]): Promise<string[]> {
  const rows = await select(
    tx,
    NAME,
    `select asked.name from unnest($2::text[]) as asked (name)
      where asked.name = any($1)
         or exists (select from members where actor = any($1) and asked.name = any(groups))
         or exists (select from credentials
                     where kind = 'api_key' and revoked_at is null and array[actor, owner, created_by] && $1
                       and ((actor is null and asked.name = 'key:' || credentials.name) or asked.name = any(groups)))
         or exists (select from absences
                     where substitute = any($1) and absences.actor = asked.name and (ends_at is null or ends_at > now()))`,
    [people, names],
  )
  return rows.map(({ name }) => name)
}

/** A resource version that a run will use. */
export interface FollowedVersion {
  id: string
  version: number
  /** The version that the run uses now. If absent, the version that was current when the run started. */
  after?: number
}

/** Returns the authors of versions that are newer than the versions a run uses. */
export async function listVersionAuthors(tx: Tx, versions: FollowedVersion[], begunAt: string): Promise<string[]> {
  const authors = await select(
    tx,
    pick(resourceVersionsTable, 'author'),
    `select distinct saved.author
       from json_to_recordset($1::json) as followed (id uuid, version integer, after integer)
       join resource_versions saved on saved.resource_id = followed.id and saved.version <= followed.version
      where case when followed.after is null then saved.created_at > $2 else saved.version > followed.after end`,
    [JSON.stringify(versions), begunAt],
  )
  return authors.map(({ author }) => author)
}

/** Returns the people who requested a backfill of this trigger for this time. */
export async function listBackfillers(tx: Tx, triggerId: string, time: string): Promise<string[]> {
  const people = await select(
    tx,
    NAME,
    `select distinct jsonb_array_elements_text(details -> 'people') as name from audit_log
      where target = $1 and action = 'trigger.backfill'
        and $2::timestamptz between (details ->> 'from')::timestamptz and (details ->> 'to')::timestamptz`,
    [triggerId, time],
  )
  return people.map(({ name }) => name)
}

/**
 * Returns the people behind the causes of events. These are the people behind the runs, and the people who changed the
 * subjects in the requests. People who handled a subject that is an intervention are included.
 * @param causes ids of runs and requests
 * @param subjects ids of resources and interventions
 */
export async function listPeopleOfCauses(
  tx: Tx,
  { causes, subjects }: { causes: string[]; subjects: string[] },
): Promise<string[]> {
  const people = await select(
    tx,
    NAME,
    `select unnest(people) as name from jobs where job_id = any($1)
     union
     select name from audit_log, unnest(array[person, actor]) name
      where target = any($2) and (request_id = any($1) or action like 'intervention.%') and name is not null`,
    [causes, subjects],
  )
  return people.map(({ name }) => name)
}
