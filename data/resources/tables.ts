import {
  defineTable,
  bigint,
  boolean,
  generated,
  integer,
  json,
  jsonb,
  nullable,
  primary,
  text,
  texts,
  time,
  uuid,
} from '../shared/table.ts'

export const resourcesTable = defineTable('resources', {
  id: primary(uuid()),
  workspace_id: uuid(),
  brain_id: nullable(uuid()),
  kind: text(),
  slug: text(),
  title: text(),
  path: text(),
  /** The path with slashes replaced by the lowest character: a subtree is one range, and siblings sort by name. */
  tree_key: generated(text()),
  scope: text(),
  is_active: boolean(),
  version: integer(),
  revision: bigint(),
  document: json(),
  /** Row-level security allows an index only for leakproof operators, and those of JSON are not: these fields are columns. */
  asset_sha256: generated(nullable(text())),
  source_key: generated(nullable(text())),
  created_at: time(),
  updated_at: time(),
  deleted_at: nullable(time()),
  /** Set when a purge is accepted. It removes the versions, then the title and the document. */
  purged_at: nullable(time()),
  /** The thread that a recollection comes from. */
  source_trace_id: generated(nullable(text())),
  /** The meeting whose transcript an artifact holds. */
  source_meeting_id: generated(nullable(text())),
  asset_name: generated(nullable(text())),
})

export const resourceVersionsTable = defineTable('resource_versions', {
  resource_id: primary(uuid()),
  version: primary(integer()),
  workspace_id: uuid(),
  title: text(),
  document: json(),
  delta: nullable(jsonb()),
  author: text(),
  note: nullable(text()),
  created_at: time(),
  content_sha256: generated(nullable(text())),
  brain_id: nullable(uuid()),
  slug: text(),
  path: text(),
  scope: text(),
  is_active: boolean(),
  author_permissions: texts(),
})
