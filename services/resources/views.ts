import type { Resource, ResourceVersion, VersionLine } from '../../data/resources/resources-store.ts'
import { getResourceKind } from '../../domain/resources/kinds/index.ts'
import { redactDelta, redactDocument } from '../../domain/resources/redacting.ts'
import type { ResourceView } from '../../contract/resources/resource.ts'
import type { VersionView } from '../../contract/resources/version.ts'
import { splitSnapshot, translateDelta } from './snapshot.ts'

export function presentResource(head: Resource): ResourceView {
  const { id, slug, kind, title, path, brain_id, scope, is_active, version } = head
  const { created_at, updated_at, deleted_at } = head
  const definition = getResourceKind(kind)
  const document = redactDocument(head, head.document, definition)
  const view = { id, slug, type: kind, title, path, brain_id, scope, is_active, version }
  return { ...view, ...splitSnapshot(definition, document), created_at, updated_at, deleted_at }
}

/**
 * Returns a resource as of a given version. For the latest version, returns the head, which may have moved to another
 * folder.
 */
export function buildSnapshot(head: Resource, savedVersion: ResourceVersion): Resource {
  if (savedVersion.version === head.version) return head
  const { version, slug, title, path, scope, brain_id, is_active, document, created_at } = savedVersion
  const fields = { version, slug, title, path, scope, brain_id, is_active, document }
  return { ...head, ...fields, updated_at: created_at }
}

export function presentVersion(head: Resource, savedVersion: VersionLine): VersionView {
  const { version, author, note, created_at } = savedVersion
  const delta = translateDelta(getResourceKind(head.kind), redactDelta(head, savedVersion.delta))
  return { version, author, note, delta, created_at }
}
