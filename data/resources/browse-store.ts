import type { Tx } from '../shared/database.ts'
import { COUNTED, toPage, type Page } from '../shared/page.ts'
import { select } from '../shared/statements.ts'
import { list } from '../shared/table.ts'
import { LISTED, type ListedResource } from './resource-tree-store.ts'
import { HEAD, type Brains, type Resource, type ResourceKind } from './resources-store.ts'

export interface BrowseFilter {
  kind: ResourceKind
  brain_ids: Brains
  limit: number
  offset: number
}

const BROWSED = { ...COUNTED, ...LISTED }
const VISIBLE = '($2::uuid[] is null or brain_id is null or brain_id = any($2))'

/**
 * Lists live resources of a kind without their documents, most recently changed first. One index serves both the
 * total and the page.
 */
export async function browseResources(
  tx: Tx,
  { kind, brain_ids, limit, offset }: BrowseFilter,
): Promise<Page<ListedResource>> {
  const matches = await select(
    tx,
    BROWSED,
    `select counted.total, found.*
       from (select count(*) as total from resources where deleted_at is null and kind = $1 and ${VISIBLE}) counted
       left join (
         select id, updated_at from resources where deleted_at is null and kind = $1 and ${VISIBLE}
          order by updated_at desc, id desc limit $3 offset $4
       ) page on true
       left join lateral (
         select true as present, ${list(LISTED, 'resources')}
           from resources where resources.id = page.id
       ) found on true
      order by page.updated_at desc, page.id desc`,
    [kind, brain_ids, limit, offset],
  )
  return toPage(matches)
}

/**
 * Returns the heads with these ids, in the given order. Stops when the documents exceed `bytes` of JSON, but returns
 * at least one head.
 */
export async function findHeads(tx: Tx, ids: string[], bytes: number): Promise<Resource[]> {
  return select(
    tx,
    HEAD,
    `select ${list(HEAD)} from (
       select resources.*, wanted.place,
              sum(octet_length(document::text)) over (order by wanted.place) as reached,
              row_number() over (order by wanted.place) as position
         from unnest($1::uuid[]) with ordinality as wanted (id, place) join resources on resources.id = wanted.id
        where deleted_at is null
     ) heads
      where position = 1 or reached <= $2
      order by place`,
    [ids, bytes],
  )
}
