import type { Permission } from '../../domain/access/permissions.ts'
import type { Document } from '../../domain/resources/kind.ts'
import type { ResourceKind } from '../../domain/resources/kinds/index.ts'
import type { Delta } from '../../domain/resources/patching.ts'
import type { Scope } from '../../domain/resources/scope.ts'
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

/** The heads of resources: title, slug, path and the document of `version`. */
export const resourcesTable = defineTable('resources', {
  id: primary(uuid()),
  workspace_id: uuid(),
  brain_id: nullable(uuid()),
  kind: text<ResourceKind>(),
  /** Unique among the workspace's live resources of the same kind. */
  slug: text(),
  title: text(),
  /** The folder path, such as `/a/b`. `/` is the root. */
  path: text(),
  /**
   * The path with each slash replaced by the lowest character. This makes a subtree one contiguous range, and sorts
   * siblings by name.
   */
  tree_key: generated(text()),
  scope: text<Scope>(),
  is_active: boolean(),
  version: integer(),
  /** Increases with every change to the head, including a move or deletion. */
  revision: bigint(),
  document: json<Document>(),
  /**
   * With row-level security, Postgres uses an index only for leakproof operators, and JSON operators are not
   * leakproof. These fields are therefore generated columns.
   */
  asset_sha256: generated(nullable(text())),
  source_key: generated(nullable(text())),
  created_at: time(),
  updated_at: time(),
  deleted_at: nullable(time()),
  /** Set when a purge is accepted. The purge then removes the versions, the title and the document. */
  purged_at: nullable(time()),
  /** The thread from which a recollection was made. */
  source_trace_id: generated(nullable(text())),
  /** The meeting whose transcript the artifact is. */
  source_meeting_id: generated(nullable(text())),
  asset_name: generated(nullable(text())),
})

/** Immutable versions of resources, with the head fields at the time of saving. */
export const resourceVersionsTable = defineTable('resource_versions', {
  resource_id: primary(uuid()),
  version: primary(integer()),
  workspace_id: uuid(),
  title: text(),
  document: json<Document>(),
  /** Null for the first version. */
  delta: nullable(jsonb<Delta>()),
  author: text(),
  note: nullable(text()),
  created_at: time(),
  content_sha256: generated(nullable(text())),
  brain_id: nullable(uuid()),
  slug: text(),
  path: text(),
  scope: text<Scope>(),
  is_active: boolean(),
  /** The author's permissions when the version was saved. They limit the rights of runs started by a gateway. */
  author_permissions: texts<Permission>(),
})
