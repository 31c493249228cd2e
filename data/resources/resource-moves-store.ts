import { MAX_PATH_BYTES, ROOT } from '../../domain/resources/paths.ts'
import type { Tx } from '../shared/database.ts'
import { execute, selectOne } from '../shared/statements.ts'
import { bigint, boolean, integers, json, type Row } from '../shared/table.ts'
import type { Brains, ResourceKind } from './resources-store.ts'
import { getSubtree } from './tree-key.ts'

export interface Move {
  /** Distinct resource ids. These resources move directly into `to`. */
  ids: string[]
  /** Folders that don't overlap, without the root. Each folder becomes a child of `to`, with its subtree. */
  folders: string[]
  to: string
  /**
   * The brains that the principal can see. Resources in other brains are ignored, so only the visible part of a
   * folder moves.
   */
  visible: Brains
  /** The brains whose resources the principal may move. Null means all resources, including those without a brain. */
  writable: Brains
  /** Null means all. */
  kinds: readonly ResourceKind[] | null
  /** Maximum number of resources to move. Larger moves are rejected. */
  max: number
  /** Maximum number of resources listed in the result. */
  maxListed: number
}

/**
 * Why a resource can't be moved. `kind`: its kind is not in `kinds`. `locked`: the principal may not write the
 * resource. `core`: the service owns the resource. `twice`: the request names the resource by id and also a folder
 * that contains it. `long`: the new path would be too long.
 */
export type MoveConflict = 'kind' | 'locked' | 'core' | 'twice' | 'long'

interface ConflictGroup {
  id: number | null
  folder: number | null
  conflict: MoveConflict
  kind: ResourceKind
  resources: number
}

const OUTCOME = {
  /** False if a conflict prevented the move. */
  done: boolean(),
  total: bigint(),
  tooMany: boolean(),
  missingIds: integers(),
  missingFolders: integers(),
  /**
   * Conflicts with their number of resources, grouped by id for resources named by id, and by folder for all others.
   */
  conflicts: json<ConflictGroup[]>(),
  folders: json<{ folder: number; resources: number }[]>(),
  /** The first `maxListed` moved resources: those named by id, followed by those in folders. */
  moved: json<{ id: string; path: string }[]>(),
}
/** `ids` is an array in Postgres text format. */
const EVALUATION = { ...OUTCOME, batches: json<{ folder: number | null; ids: string }[]>() }

/** The result of a move, whether or not it was rejected. Numbers are indexes into `ids` and `folders`. */
export type MoveOutcome = Row<typeof OUTCOME>

/**
 * Moves all resources or none. One statement locks the rows in id order, to prevent deadlocks, and evaluates the
 * locked rows. Without a conflict, the rows are updated in batches. Resources added to a folder later are not moved.
 */
export async function moveResources(tx: Tx, move: Move): Promise<MoveOutcome> {
  const { ids, folders, visible, writable, kinds, max, maxListed } = move
  const to = move.to === ROOT ? '' : move.to
  const subtrees = folders.map(getSubtree)
  const parents = folders.map(folder => folder.slice(0, folder.lastIndexOf('/')))
  const evaluation = await selectOne(tx, EVALUATION, EVALUATE_MOVE, [
    ids,
    subtrees.map(({ from }) => from),
    subtrees.map(({ until }) => until),
    parents,
    to,
    visible,
    writable,
    kinds,
    max,
    maxListed,
  ])
  if (!evaluation) throw new Error('a move has no evaluation')
  const { batches, ...outcome } = evaluation
  for (const batch of batches) {
    if (batch.folder === null) await execute(tx, MOVE_RESOURCES, [batch.ids, move.to])
    else await execute(tx, MOVE_BELOW, [batch.ids, to, parents[batch.folder]])
  }
  return outcome
}

/** The batch size keeps each update below the statement timeout, even on a busy machine. */
const MAX_BATCH_RESOURCES = 2_000

const MOVE_RESOURCES = 'update resources set path = $2 where id = any($1::uuid[])'
const MOVE_BELOW = 'update resources set path = $2 || substr(path, length($3) + 1) where id = any($1::uuid[])'

/**
 * Blocks other folder moves in this workspace until the transaction ends. Two concurrent moves could otherwise make
 * two folders descendants of each other.
 */
export async function lockFolders(tx: Tx): Promise<void> {
  await execute(tx, `select pg_advisory_xact_lock(hashtextextended(current_setting('app.workspace_id'), $1))`, [
    FOLDERS_LOCK,
  ])
}

/** Hash seed that distinguishes these advisory locks from others. */
const FOLDERS_LOCK = 4_702_111_234

const VISIBLE = `deleted_at is null and ($6::uuid[] is null or brain_id is null or brain_id = any($6))`

const EVALUATE_MOVE = `
  with named as (
    select * from unnest($1::uuid[]) with ordinality as given (id, place)
  ), folders as (
    select * from unnest($2::text[], $3::text[], $4::text[]) with ordinality as given (own, until, parent, place)
  ), wanted as (
    select id, max(folder) as folder
      from (
        select id, null::bigint as folder from named
        union all
        select resources.id, folders.place
          from folders join resources on tree_key >= folders.own and tree_key < folders.until
         where ${VISIBLE}
         limit $9 + 1
      ) found
     group by id
  ), locked as materialized (
    select resources.id, kind, brain_id, scope, path, tree_key, wanted.folder
      from resources join wanted using (id)
     where ${VISIBLE} and (select count(*) from wanted) <= $9
     order by resources.id
       for no key update of resources
  ), moving as materialized (
    select locked.id, kind, brain_id, scope, path, named.place as named, folders.place as folder,
           case when folders.place is null then coalesce(nullif($5, ''), '/')
                else $5 || substr(path, length(folders.parent) + 1) end as new_path
      from locked
      left join named on named.id = locked.id
      -- Another transaction may have moved the row out of the folder.
      left join folders on folders.place = locked.folder and tree_key >= folders.own and tree_key < folders.until
     where named.place is not null or folders.place is not null
  ), evaluated as materialized (
    select id, path, new_path, named, folder, kind,
           case when named is not null and folder is not null then 'twice'
                when kind <> all($8::text[]) then 'kind'
                when $7::uuid[] is not null and (brain_id = any($7)) is not true then 'locked'
                when scope = 'core' then 'core'
                when octet_length(new_path) > ${MAX_PATH_BYTES} then 'long' end as conflict
      from moving
  ), summary as (
    select count(*) as total, (select count(*) from wanted) > $9 as too_many,
           count(named) = cardinality($1) and count(distinct folder) = cardinality($2) and count(conflict) = 0 as valid
      from evaluated
  )
  select valid as done, total, too_many as "tooMany",
         array(select (place - 1)::integer from named
                where not exists (select from evaluated where named = named.place)) as "missingIds",
         array(select (place - 1)::integer from folders
                where not exists (select from evaluated where folder = folders.place)) as "missingFolders",
         (select coalesce(json_agg(found), '[]') from (
            select named - 1 as id, case when named is null then folder - 1 end as folder, conflict,
                   min(kind) as kind, count(*) as resources
              from evaluated where conflict is not null group by 1, 2, 3 order by 1, 2, 3) found) as conflicts,
         (select coalesce(json_agg(found), '[]') from (
            select folder - 1 as folder, count(*) as resources
              from evaluated where folder is not null group by 1 order by 1) found) as folders,
         (select coalesce(json_agg(found), '[]') from (
            select id, new_path as path from evaluated order by named, folder, id limit $10) found) as moved,
         (select coalesce(json_agg(found), '[]') from (
            select folder - 1 as folder, array_agg(id)::text as ids
              from (select id, folder, row_number() over (partition by folder order by id) / ${MAX_BATCH_RESOURCES} as batch
                      from evaluated where path <> new_path and (select valid from summary)) changing
             group by folder, batch order by folder, batch) found) as batches
    from summary`
