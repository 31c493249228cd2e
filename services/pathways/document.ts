import type { Resource, ResourceVersion } from '../../data/resources-store.ts'
import type { PathwayDefinition } from '../../domain/pathway/definition.ts'
import type { PathwayView, VersionView } from './types.ts'

/** What the spine keeps of a pathway in `document`, per version. */
export interface PathwayDocument {
  description: string | null
  definition: PathwayDefinition
}

export function pathwayView(head: Resource): PathwayView {
  const { description, definition } = head.document as PathwayDocument
  const { id, slug, title, path, brain_id, is_active, version, created_at, updated_at, deleted_at } = head
  return {
    id,
    slug,
    type: 'pathways',
    title,
    description,
    path,
    brain_id,
    is_active,
    version,
    definition,
    created_at,
    updated_at,
    deleted_at,
  }
}

/** A pathway as of a version. Where it is and whether it is switched on are no part of a version: those are today's. */
export function snapshotView(head: Resource, { version, title, document, created_at }: ResourceVersion): PathwayView {
  return pathwayView({ ...head, version, title, document, updated_at: created_at })
}

export function versionView(saved: Omit<ResourceVersion, 'document'>): VersionView {
  const { version, author, note, created_at } = saved
  return { version, author, note, created_at }
}
