import type { ListedResource } from '../../data/resource-tree-store.ts'
import type { Principal } from '../../domain/principal.ts'
import type { ResourceEntry } from './types.ts'

/** The brains whose resources are visible, in addition to those without a brain; null means all. */
export const visibleBrainIds = (principal: Principal): string[] | null =>
  principal.brain_id === undefined ? principal.brain_ids : [principal.brain_id]

export function presentEntry(listed: ListedResource): ResourceEntry {
  const { id, slug, kind, title, path, version, created_at, updated_at } = listed
  return { id, slug, type: kind, title, path, version, created_at, updated_at }
}
