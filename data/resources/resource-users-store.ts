import type { Tx } from '../shared/database.ts'
import { createFilter, readPage, type Page } from '../shared/page.ts'
import { pick, type Row } from '../shared/table.ts'
import type { Brains, Resource, ResourceKind } from './resources-store.ts'
import { resourcesTable } from './tables.ts'

const USER = pick(resourcesTable, 'id', 'kind', 'slug', 'title')
/** A resource that refers to another resource. */
export type ResourceUser = Row<typeof USER>

/** SQL/JSON paths of references in documents, by referenced kind and then by referring kind. */
const REFERENCES: Partial<Record<ResourceKind, Partial<Record<ResourceKind, string>>>> = {
  pathways: {
    pathways: '$.definition.** ? (@.type == "pathway").ref',
    receptors: '$.target ? (@.type == "pathway").ref',
    triggers: '$.target ? (@.type == "pathway").ref',
    reflexes: '$ ? (@.source == "pathway").target',
  },
  neurons: {
    pathways: '$.definition.** ? (@.type == "neuron").ref',
    receptors: '$.target ? (@.type == "neuron").ref',
    triggers: '$.target ? (@.type == "neuron").ref',
    reflexes: '$ ? (@.source == "neuron").target',
  },
  receptors: { triggers: '$.target ? (@.type == "receptor").ref' },
  reflexes: {
    pathways: '$.definition.** ? (@.type == "tool").with.reflex',
    neurons: '$.tools[*].reflex',
  },
  skills: { neurons: '$.skills[*]' },
  assets: { pathways: '$.definition.** ? (@.type == "transcribe").with.asset' },
}

/**
 * Returns a page of live resources whose latest version refers to the given resource, by id or slug and at any
 * version. Omits core resources, because their references are hidden.
 */
export async function listResourceUsers(
  tx: Tx,
  { id, slug, kind }: Pick<Resource, 'id' | 'slug' | 'kind'>,
  page: { brain_ids: Brains; limit: number; offset: number },
): Promise<Page<ResourceUser>> {
  const { brain_ids, limit, offset } = page
  const paths = REFERENCES[kind]
  if (!paths) return { rows: [], total: 0 }
  const conditions = createFilter()
  conditions.where('kind = any(?)', Object.keys(paths))
  conditions.where(
    `exists (select from jsonb_path_query(document::jsonb, (?::jsonb -> 'paths' ->> kind)::jsonpath) reference
      where ?::jsonb -> 'names' @> to_jsonb(split_part(reference #>> '{}', '@', 1)))`,
    JSON.stringify({ paths, names: [id, slug] }),
  )
  conditions.where(`deleted_at is null and scope <> 'core' and id <> ?`, id)
  conditions.where('(brain_id is null or brain_id = any(?))', brain_ids ?? undefined)
  const query = { columns: USER, from: 'resources', order: 'created_at desc, id desc' }
  return readPage(tx, { ...query, limit, offset }, conditions)
}
