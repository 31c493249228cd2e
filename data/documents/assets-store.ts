import type { Tx } from '../shared/database.ts'
import { execute, select, selectOne } from '../shared/statements.ts'
import { computed, list, pick, type Row } from '../shared/table.ts'
import { resourcesTable } from '../resources/tables.ts'

/**
 * The identity of an asset: its source. Without a source, its folder and file name. Without a file name, its folder
 * and content hash.
 */
export type AssetIdentity = { brain_id: string | null } & (
  { source_key: string } | { path: string; file_name: string } | { path: string; sha256: string }
)

/** Locks an asset identity until the transaction ends. Other transactions that lock the same identity wait. */
export async function lockAsset(tx: Tx, workspaceId: string, identity: AssetIdentity): Promise<void> {
  const name = JSON.stringify(['asset', workspaceId, identity])
  await execute(tx, 'select pg_advisory_xact_lock(hashtextextended($1, 0))', [name])
}

/**
 * Returns the live asset with this identity. After moves, a folder may contain several: the asset with the same bytes
 * takes precedence, then the oldest one. An asset with a source is found only by that source.
 */
export async function findAssetId(tx: Tx, identity: AssetIdentity, sha256: string): Promise<string | undefined> {
  const [condition, ...values] = buildCondition(identity)
  const row = await selectOne(
    tx,
    pick(resourcesTable, 'id'),
    `select id from resources
      where kind = 'assets' and brain_id is not distinct from $1::uuid and ${condition} and deleted_at is null
      order by asset_sha256 = $2 desc, created_at, id limit 1`,
    [identity.brain_id, sha256, ...values],
  )
  return row?.id
}

function buildCondition(identity: AssetIdentity): [condition: string, ...values: string[]] {
  if ('source_key' in identity) return ['source_key = $3', identity.source_key]
  const [column, value] =
    'file_name' in identity
      ? ['asset_name = $4', identity.file_name]
      : ['asset_name is null and asset_sha256 = $4', identity.sha256]
  return [`source_key is null and path = $3 and ${column}`, identity.path, value]
}

/** Marks the live assets with this content for reindexing, because text was extracted from the content. */
export async function touchAssetsWithContent(tx: Tx, sha256: string): Promise<void> {
  await execute(tx, 'update resources set updated_at = updated_at where asset_sha256 = $1 and deleted_at is null', [
    sha256,
  ])
}

const TITLED = {
  ...pick(resourcesTable, 'id', 'title', 'source_key'),
  file_name: computed(resourcesTable.columns.asset_name, 'asset_name'),
}
/** The title of an asset, and the fields from which the title may be derived. */
export type TitledAsset = Row<typeof TITLED>

/** Returns the live assets with this content, and locks their rows until the transaction ends. */
export async function lockAssetsWithContent(tx: Tx, sha256: string): Promise<TitledAsset[]> {
  return select(
    tx,
    TITLED,
    `select ${list(TITLED)}
       from resources where asset_sha256 = $1 and deleted_at is null order by id for update`,
    [sha256],
  )
}

/** Sets the title of assets and of their latest versions. */
export async function retitleAssets(tx: Tx, ids: string[], title: string): Promise<void> {
  await execute(
    tx,
    `with retitled as (update resources set title = $2 where id = any($1::uuid[]) returning id, version)
     update resource_versions saved set title = $2
       from retitled where saved.resource_id = retitled.id and saved.version = retitled.version`,
    [ids, title],
  )
}
