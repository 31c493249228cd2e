import type { ListedResource } from '../../../data/resources/resource-tree-store.ts'
import type { ResourceEntry } from '../../../contract/resources/discovery.ts'

export function presentEntry(listed: ListedResource): ResourceEntry {
  const { id, slug, kind, title, path, version, created_at, updated_at } = listed
  return { id, slug, type: kind, title, path, version, created_at, updated_at }
}
