import type { Resource, ResourceVersion } from '../../data/resources-store.ts'
import { kindOf } from '../../domain/resources/kinds/index.ts'
import { seenDelta, seenDocument } from '../../domain/resources/redacting.ts'
import type { ResourceView, VersionView } from './types.ts'

export function resourceView(head: Resource): ResourceView {
  const { id, slug, kind, title, path, brain_id, scope, is_active, version } = head
  const { created_at, updated_at, deleted_at } = head
  const known = kindOf(kind)
  const document = seenDocument(head, head.document, known)
  const own = known.present?.(document) ?? {}
  const shown = { id, slug, type: kind, title, path, brain_id, scope, is_active, version, document, ...own }
  return { ...shown, created_at, updated_at, deleted_at }
}

/** A resource as of a version. Where it is and whether it is switched on are no part of a version: those are today's. */
export function snapshotView(head: Resource, { version, title, document, created_at }: ResourceVersion): ResourceView {
  return resourceView({ ...head, version, title, document, updated_at: created_at })
}

export function versionView(head: Resource, saved: Omit<ResourceVersion, 'document'>): VersionView {
  const { version, author, note, created_at } = saved
  return { version, author, note, delta: seenDelta(head, saved.delta), created_at }
}
