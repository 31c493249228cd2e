import type { Edge, Stakeholder } from '../../domain/resources/stakeholder-map.ts'
import type { Tx } from '../shared/database.ts'
import { select, selectOne } from '../shared/statements.ts'
import { computed, json, list, nullable, pick, type Row } from '../shared/table.ts'
import { resourcesTable, resourceVersionsTable } from '../resources/tables.ts'

const NODE_VERSION = {
  ...pick(resourceVersionsTable, 'version', 'author', 'note'),
  at: computed(resourceVersionsTable.columns.created_at, 'created_at'),
  /** Null if the map version does not contain the stakeholder. */
  stakeholder: nullable(json<Stakeholder>()),
  edges: computed(json<Edge[]>(), `coalesce(edges, '[]')`),
  /** The names of related stakeholders, by id. */
  names: computed(
    json<Record<string, string>>(),
    `coalesce((select json_object_agg(one ->> 'id', one ->> 'name')
                 from json_array_elements(document -> 'stakeholders') one
                where one ->> 'id' = any (ends)), '{}')`,
  ),
}
/** A stakeholder with their relations, as of a map version. */
export type NodeVersion = Row<typeof NODE_VERSION>

/** Returns the id of the brain's default map, if the map is live. */
export async function findDefaultMapId(tx: Tx, brainId: string): Promise<string | null> {
  const row = await selectOne(
    tx,
    pick(resourcesTable, 'id'),
    `select resources.id from brains join resources on resources.id = brains.default_map_id
      where brains.id = $1 and deleted_at is null`,
    [brainId],
  )
  return row?.id ?? null
}

/**
 * Lists versions that may have changed a stakeholder, up to the given version and newest first. These are versions
 * whose delta contains the stakeholder's id, and versions without a delta.
 */
export async function listVersionsOfNode(
  tx: Tx,
  { resource_id, node_id, until, limit }: { resource_id: string; node_id: string; until: number; limit: number },
): Promise<number[]> {
  const rows = await select(
    tx,
    pick(resourceVersionsTable, 'version'),
    `select version from resource_versions
      where resource_id = $1 and version <= $3
        and (not coalesce(delta ? 'delta', false) or position(to_json($2::text)::text in (delta -> 'delta')::text) > 0)
      order by version desc limit $4`,
    [resource_id, node_id, until, limit],
  )
  return rows.map(({ version }) => version)
}

/** Returns a stakeholder and their relations as of the given versions, without the rest of the map. */
export async function findNodeVersions(
  tx: Tx,
  { resource_id, node_id, versions }: { resource_id: string; node_id: string; versions: number[] },
): Promise<NodeVersion[]> {
  return select(
    tx,
    NODE_VERSION,
    `select ${list(NODE_VERSION)}
       from resource_versions,
            lateral (select (select one from json_array_elements(document -> 'stakeholders') one
                              where one ->> 'id' = $2 limit 1) as stakeholder) person,
            lateral (select json_agg(edge) as edges,
                            array_agg(edge ->> 'from') || array_agg(edge ->> 'to') as ends
                       from json_array_elements(document -> 'edges') edge
                      where edge ->> 'from' = $2 or edge ->> 'to' = $2) relations
      where resource_id = $1 and version = any($3::integer[])
      order by version desc`,
    [resource_id, node_id, versions],
  )
}
