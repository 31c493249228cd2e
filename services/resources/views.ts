import type { Resource, ResourceVersion } from '../../data/resources-store.ts'
import { getResourceKind } from '../../domain/resources/kinds/index.ts'
import { redactDelta, redactDocument } from '../../domain/resources/redacting.ts'
import type { ResourceView, VersionView } from './types.ts'

export function presentResource(head: Resource): ResourceView {
  const { id, slug, kind, title, path, brain_id, scope, is_active, version } = head
  const { created_at, updated_at, deleted_at } = head
  const known = getResourceKind(kind)
  const document = redactDocument(head, head.document, known)
  const own = known.present?.(document) ?? {}
  const shown = { id, slug, type: kind, title, path, brain_id, scope, is_active, version, document, ...own }
  return { ...shown, created_at, updated_at, deleted_at }
}

/** Presents a resource at a version. Path, scope and `is_active` are not part of a version and are the current ones. */
export function presentSnapshot(
  head: Resource,
  { version, title, document, created_at }: ResourceVersion,
): ResourceView {
  return presentResource({ ...head, version, title, document, updated_at: created_at })
}

export function presentVersion(head: Resource, saved: Omit<ResourceVersion, 'document'>): VersionView {
  const { version, author, note, created_at } = saved
  return { version, author, note, delta: redactDelta(head, saved.delta), created_at }
}
