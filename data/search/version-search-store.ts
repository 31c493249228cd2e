import type { Tx } from '../shared/database.ts'
import { execute, select, selectOne } from '../shared/statements.ts'
import { bigint, computed, integer, list, pick, text, type Row } from '../shared/table.ts'
import { resourcesTable, resourceVersionsTable } from '../resources/tables.ts'
import { searchStateTable, textChunksTable } from './tables.ts'

const VERSION_STATE = {
  ...pick(searchStateTable, 'resource_id'),
  revision: computed(bigint(), 'versions_revision'),
  until: computed(integer(), 'versions_until'),
  place: computed(text(), 'versions_place'),
  index_name: computed(text(), 'versions_index'),
}
/** The state of a resource in the version index: what the index covers. */
export type VersionSearchState = Row<typeof VERSION_STATE>

/** Returns the state of these resources in the version index. Omits resources that are not in that index. */
export async function findVersionSearchStates(tx: Tx, ids: string[]): Promise<VersionSearchState[]> {
  return select(
    tx,
    VERSION_STATE,
    `select ${list(VERSION_STATE)}
       from search_state where resource_id = any($1::uuid[]) and versions_revision is not null`,
    [ids],
  )
}

/** Saves the state of a resource in the version index, unless the state of a newer revision is already saved. */
export async function saveVersionSearchState(tx: Tx, state: VersionSearchState): Promise<void> {
  const { resource_id, revision, until, place, index_name } = state
  await execute(
    tx,
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
  await execute(
    tx,
    `update search_state set versions_revision = null, versions_until = null, versions_place = null, versions_index = null
      where resource_id = $1`,
    [resourceId],
  )
}

/** Returns the revision at which a head was deleted, or null if the head is live. */
export async function findDeletion(tx: Tx, id: string): Promise<number | null> {
  const row = await selectOne(
    tx,
    pick(resourcesTable, 'revision'),
    'select revision from resources where id = $1 and deleted_at is not null',
    [id],
  )
  return row?.revision ?? null
}

/** Lists the versions after `after`, up to and including `until`, that have no chunks yet. */
export async function listUnchunkedVersions(
  tx: Tx,
  { resource_id, after, until }: { resource_id: string; after: number; until: number },
): Promise<number[]> {
  const rows = await select(
    tx,
    pick(resourceVersionsTable, 'version'),
    `select version from resource_versions saved
      where resource_id = $1 and version > $2 and version <= $3
        and not exists (select from text_chunks cut where cut.resource_id = $1 and cut.version = saved.version)
      order by version`,
    [resource_id, after, until],
  )
  return rows.map(({ version }) => version)
}

const CHUNK_RUN = {
  first_version: integer(),
  /** The last version, without a gap, that contains the chunk. */
  last_version: integer(),
  /** These columns come from the first version that contains the chunk. */
  ...pick(textChunksTable, 'ordinal', 'heading', 'text', 'sha256'),
  /** The title in the first version. A title change ends every chunk run. */
  title: text(),
}
/** A chunk of text that consecutive versions of a resource share. */
export type ChunkRun = Row<typeof CHUNK_RUN>

/**
 * Lists the chunk runs of a resource up to a version. Omits runs that ended before `after`, and runs that cover all
 * versions from `after` to the end. With `after` 0, returns all runs. Reads only the chunks since `after`, and the
 * earlier versions of runs that ended since then.
 */
export async function listChunkRuns(
  tx: Tx,
  { resource_id, after, until }: { resource_id: string; after: number; until: number },
): Promise<ChunkRun[]> {
  return select(
    tx,
    CHUNK_RUN,
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

/** Enqueues resources of these kinds whose current state is not in the version index. */
export async function enqueueUncovered(tx: Tx, kinds: readonly string[], indexName: string): Promise<void> {
  await execute(
    tx,
    `insert into search_outbox (resource_id, revision, version)
     select id, resources.revision, version
       from resources left join search_state state on state.resource_id = id
      where kind = any($1) and deleted_at is null
        and (versions_index is distinct from $2 or versions_revision is distinct from resources.revision)`,
    [kinds, indexName],
  )
}

const LIVE_HEAD = pick(resourcesTable, 'id', 'slug', 'path', 'version')
/** A live resource that is visible with the given brains. */
export type LiveHead = Row<typeof LIVE_HEAD>

/** Returns the live heads that are visible with these brains. */
export async function findLiveHeads(tx: Tx, ids: string[], brainIds: string[] | null): Promise<LiveHead[]> {
  return select(
    tx,
    LIVE_HEAD,
    `select ${list(LIVE_HEAD)} from resources
      where id = any($1::uuid[]) and deleted_at is null
        and ($2::uuid[] is null or brain_id is null or brain_id = any($2))`,
    [ids, brainIds],
  )
}

const LIVE_ID = pick(resourcesTable, 'id', 'revision')

/**
 * Returns up to `limit` live heads of these kinds with a higher revision, in order of revision, without their
 * documents.
 */
export async function listLiveIdsAfter(
  tx: Tx,
  { kinds, revision, limit }: { kinds: readonly string[]; revision: number; limit: number },
): Promise<Row<typeof LIVE_ID>[]> {
  return select(
    tx,
    LIVE_ID,
    `select ${list(LIVE_ID)} from resources
      where kind = any($1) and revision > $2 and deleted_at is null order by revision limit $3`,
    [kinds, revision, limit],
  )
}
