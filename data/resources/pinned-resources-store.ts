import type { Tx } from '../shared/database.ts'
import { select } from '../shared/statements.ts'
import { list, pick, text, type Row } from '../shared/table.ts'
import type { Brains, ResourceKind } from './resources-store.ts'
import { resourcesTable, resourceVersionsTable } from './tables.ts'
import { isUuid } from '../../domain/shared/uuid.ts'

/** A reference to a resource. `name` is an id or a slug. Without a version, the reference resolves to the head. */
export interface Reference {
  ref: string
  name: string
  version?: number
}

const OF_HEAD = pick(resourcesTable, 'id', 'slug', 'is_active')
const OF_VERSION = pick(resourceVersionsTable, 'version', 'title', 'document')
const PINNED = { ref: text(), ...OF_HEAD, ...OF_VERSION }

/** A resource at the version that a reference names. */
export type PinnedResource = Row<typeof PINNED>

/** Resolves references to live resources of one kind in one statement. Omits references that can't be resolved. */
export async function findPinnedResources(
  tx: Tx,
  kind: ResourceKind,
  references: Reference[],
  brains: Brains = null,
): Promise<PinnedResource[]> {
  return select(
    tx,
    PINNED,
    `select wanted.ref, ${list(OF_HEAD, 'head')}, ${list(OF_VERSION, 'pinned')}
       from unnest($2::text[], $3::uuid[], $4::text[], $5::integer[]) as wanted (ref, id, slug, version)
       join resources head on head.kind = $1 and head.deleted_at is null
                          and (head.id = wanted.id or head.slug = wanted.slug)
                          and ($6::uuid[] is null or head.brain_id is null or head.brain_id = any($6))
       join resource_versions pinned on pinned.resource_id = head.id
                                    and pinned.version = coalesce(wanted.version, head.version)`,
    [
      kind,
      references.map(reference => reference.ref),
      references.map(({ name }) => (isUuid(name) ? name : null)),
      references.map(({ name }) => (isUuid(name) ? null : name)),
      references.map(reference => reference.version ?? null),
      brains,
    ],
  )
}
