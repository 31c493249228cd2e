import type { Tx } from '../shared/database.ts'
import type { Document, ResourceKind } from '../shared/entities/resources.ts'
import type { Brains } from './resources-store.ts'
import { isUuid } from '../../domain/shared/uuid.ts'

/** A reference to a resource: `name` is an id or a slug. Without a version it refers to the head. */
export interface Reference {
  ref: string
  name: string
  version?: number
}

/** A resource at the version of its reference. */
export interface PinnedResource {
  ref: string
  id: string
  slug: string
  is_active: boolean
  version: number
  title: string
  document: Document
}

/** Finds the live resources of a kind for references, in one statement. References without a resource are left out. */
export async function findPinnedResources(
  tx: Tx,
  kind: ResourceKind,
  references: Reference[],
  brains: Brains = null,
): Promise<PinnedResource[]> {
  return tx.query<PinnedResource[]>(
    `select wanted.ref, head.id, head.slug, head.is_active, pinned.version, pinned.title, pinned.document
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
