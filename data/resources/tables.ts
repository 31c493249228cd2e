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
  /** Unique among the live resources of its kind in the workspace. */
  slug: text(),
  title: text(),
  /** Folder, as `/a/b`; `/` is the root. */
  path: text(),
  /** The path with slashes replaced by the lowest character: a subtree is one range, and siblings sort by name. */
  tree_key: generated(text()),
  scope: text<Scope>(),
  is_active: boolean(),
  version: integer(),
  /** Increases with each change of the head, also of its path and its deletion. */
  revision: bigint(),
  document: json<Document>(),
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

/** Immutable versions of resources: the fields of the head as they were when it was saved. */
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
  /** What the author could do at the save. The runs of a gateway have their rights from here. */
  author_permissions: texts<Permission>(),
})
