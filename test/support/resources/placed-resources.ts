import { randomUUID } from 'node:crypto'
import type { Database } from '../../../data/shared/database.ts'
import type { ResourceKind } from '../../../domain/resources/kinds/index.ts'
import { execute, select } from '../../../data/shared/statements.ts'
import { pick } from '../../../data/shared/table.ts'
import { resourcesTable } from '../../../data/resources/tables.ts'

export interface PlacedResource {
  id: string
  path: string
  title: string
  kind: ResourceKind
  brain_id: string | null
}

/** Creates bare heads in folders without checking any rules, because only their location matters. */
export async function placeResources(
  db: Database,
  workspaceId: string,
  specs: ({ path: string } & Partial<PlacedResource>)[],
): Promise<PlacedResource[]> {
  const placed = specs.map((spec): PlacedResource => {
    const id = spec.id ?? randomUUID()
    return { title: `Title ${id}`, kind: 'skills', brain_id: null, ...spec, id }
  })
  await db.inWorkspace(workspaceId, tx =>
    execute(
      tx,
      `insert into resources (id, kind, slug, title, path, brain_id, scope, document)
       select id, kind, 's-' || id, title, path, brain_id, case when brain_id is null then 'workspace' else 'brain' end, '{}'
         from unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::uuid[]) as given (id, kind, title, path, brain_id)`,
      [
        placed.map(({ id }) => id),
        placed.map(({ kind }) => kind),
        placed.map(({ title }) => title),
        placed.map(({ path }) => path),
        placed.map(({ brain_id }) => brain_id),
      ],
    ),
  )
  return placed
}

/** Returns the location of each resource, by id. */
export async function listPlaces(db: Database, workspaceId: string): Promise<Map<string, string>> {
  const rows = await db.inWorkspace(workspaceId, tx =>
    select(tx, pick(resourcesTable, 'id', 'path'), 'select id, path from resources where deleted_at is null'),
  )
  return new Map(rows.map(({ id, path }) => [id, path]))
}
