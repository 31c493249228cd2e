import type { Tx } from '../shared/database.ts'

/** A text that consecutive versions of a resource have as a chunk. */
export interface ChunkRun {
  first_version: number
  /** The last version of the run. */
  last_version: number
  /** The ordinal of the chunk in the first version. */
  ordinal: number
  heading: string | null
  text: string
  sha256: string
  /** The title of the first version: a change of the title ends all runs. */
  title: string
}

/** What the index of versions holds of a resource. */
export interface VersionSearchState {
  resource_id: string
  revision: number
  until: number
  place: string
  index_name: string
}

/** Returns what the index of versions holds of resources; those of which it holds nothing are missing. */
export async function findVersionSearchStates(tx: Tx, ids: string[]): Promise<VersionSearchState[]> {
  return tx.query<VersionSearchState[]>(
    `select resource_id, versions_revision as revision, versions_until as until, versions_place as place,
            versions_index as index_name
       from search_state where resource_id = any($1::uuid[]) and versions_revision is not null`,
    [ids],
  )
}

/** Saves what the index of versions holds, unless it holds a newer revision. */
export async function saveVersionSearchState(tx: Tx, state: VersionSearchState): Promise<void> {
  const { resource_id, revision, until, place, index_name } = state
  await tx.query(
    `insert into search_state as known
            (resource_id, revision, parts, versions_revision, versions_until, versions_place, versions_index)
     values ($1, 0, 0, $2, $3, $4, $5)
     on conflict (resource_id) do update set versions_revision = $2, versions_until = $3, versions_place = $4,
       versions_index = $5
      where known.versions_revision is null or known.versions_revision <= $2`,
    [resource_id, revision, until, place, index_name],
  )
}

export async function clearVersionSearchState(tx: Tx, resourceId: string): Promise<void> {
  await tx.query(
    `update search_state set versions_revision = null, versions_until = null, versions_place = null, versions_index = null
      where resource_id = $1`,
    [resourceId],
  )
}

/** Returns the revision of a head that is deleted; null for a live one. */
export async function findDeletion(tx: Tx, id: string): Promise<number | null> {
  const [found] = await tx.query<{ revision: number }[]>(
    'select revision from resources where id = $1 and deleted_at is not null',
    [id],
  )
  return found?.revision ?? null
}

/** Lists the versions after one, up to another, that have no chunks yet. */
export async function listUnchunkedVersions(
  tx: Tx,
  { resource_id, after, until }: { resource_id: string; after: number; until: number },
): Promise<number[]> {
  const found = await tx.query<{ version: number }[]>(
    `select version from resource_versions saved
      where resource_id = $1 and version > $2 and version <= $3
        and not exists (select from text_chunks cut where cut.resource_id = $1 and cut.version = saved.version)
      order by version`,
    [resource_id, after, until],
  )
  return found.map(({ version }) => version)
}

/**
 * Lists the runs of a resource's chunks up to a version, except for those that ended before `after` or that lasted from
 * then to the version. With `after` 0 these are all. It reads the chunks since `after`, and of what ended since then the
 * versions that had it before.
 */
export async function listChunkRuns(
  tx: Tx,
  { resource_id, after, until }: { resource_id: string; after: number; until: number },
): Promise<ChunkRun[]> {
  return tx.query<ChunkRun[]>(
    `with held as materialized (
       select distinct version, sha256 from text_chunks where resource_id = $1 and version between $2 and $3
     ), numbered as (
       select *, version - row_number() over (partition by sha256 order by version) as run from held
     ), found as materialized (
       select sha256, min(version) as since, max(version) as last_version
         from numbered group by sha256, run having min(version) > $2 or max(version) < $3
     ), runs as materialized (
       select sha256, last_version, case when since > $2 then since else (
                select min(version)
                  from (select version, version - dense_rank() over (order by version) as run
                          from text_chunks earlier
                         where resource_id = $1 and earlier.sha256 = found.sha256 and version <= $2) numbered
                 group by run order by run desc limit 1
              ) end as first_version
         from found
     )
     select first_version, last_version, cut.ordinal, cut.heading, cut.text, runs.sha256, saved.title
       from runs
       join resource_versions saved on saved.resource_id = $1 and saved.version = first_version
       join lateral (
         select ordinal, heading, text from text_chunks cut
          where cut.resource_id = $1 and cut.version = first_version and cut.sha256 = runs.sha256
          order by ordinal limit 1
       ) cut on true
      order by first_version, cut.ordinal`,
    [resource_id, after, until],
  )
}

/** Enqueues the resources of kinds that are not in an index of versions as they are now. */
export async function enqueueUncovered(tx: Tx, kinds: readonly string[], indexName: string): Promise<void> {
  await tx.query(
    `insert into search_outbox (resource_id, revision, version)
     select id, resources.revision, version
       from resources left join search_state state on state.resource_id = id
      where kind = any($1) and deleted_at is null
        and (versions_index is distinct from $2 or versions_revision is distinct from resources.revision)`,
    [kinds, indexName],
  )
}

/** A live resource that is visible with these brains. */
export interface LiveHead {
  id: string
  slug: string
  path: string
  version: number
}

/** Returns the heads that are live and visible. */
export async function findLiveHeads(tx: Tx, ids: string[], brainIds: string[] | null): Promise<LiveHead[]> {
  return tx.query<LiveHead[]>(
    `select id, slug, path, version from resources
      where id = any($1::uuid[]) and deleted_at is null
        and ($2::uuid[] is null or brain_id is null or brain_id = any($2))`,
    [ids, brainIds],
  )
}

/** Returns heads of kinds above a revision, in order of revision, without their documents. */
export async function listLiveIdsAfter(
  tx: Tx,
  { kinds, revision, limit }: { kinds: readonly string[]; revision: number; limit: number },
): Promise<{ id: string; revision: number }[]> {
  return tx.query<{ id: string; revision: number }[]>(
    `select id, revision from resources
      where kind = any($1) and revision > $2 and deleted_at is null order by revision limit $3`,
    [kinds, revision, limit],
  )
}
