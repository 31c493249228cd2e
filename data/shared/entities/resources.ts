import { EntitySchema } from 'typeorm'
import type { Permission } from '../../../domain/access/permissions.ts'
import type { Document } from '../../../domain/resources/kind.ts'
import type { ResourceKind } from '../../../domain/resources/kinds/index.ts'
import type { Delta } from '../../../domain/resources/patching.ts'
import type { Scope } from '../../../domain/resources/scope.ts'
import { isoTime } from './iso-time.ts'

export type { Document } from '../../../domain/resources/kind.ts'
export type { ResourceKind } from '../../../domain/resources/kinds/index.ts'

/** The head of a resource: title, slug, path and the document of `version`. */
export interface Resource {
  id: string
  brain_id: string | null
  kind: ResourceKind
  /** Unique among the live resources of its kind in the workspace. */
  slug: string
  title: string
  /** Folder, as `/a/b`; `/` is the root. */
  path: string
  scope: Scope
  is_active: boolean
  version: number
  /** Increases with each change of the head, also of its path and its deletion. */
  revision: number
  document: Document
  created_at: string
  updated_at: string
  deleted_at: string | null
}

export const ResourceEntity = new EntitySchema<Resource>({
  name: 'resource',
  tableName: 'resources',
  columns: {
    id: { type: 'uuid', primary: true },
    brain_id: { type: 'uuid', nullable: true },
    kind: { type: 'text' },
    slug: { type: 'text' },
    title: { type: 'text' },
    path: { type: 'text' },
    scope: { type: 'text' },
    is_active: { type: 'boolean' },
    version: { type: 'integer' },
    document: { type: 'json' },
    created_at: isoTime,
    updated_at: isoTime,
    deleted_at: { ...isoTime, nullable: true },
  },
})

/** One immutable version of a resource: the fields of the head as they were when it was saved. */
export interface ResourceVersion extends Pick<
  Resource,
  'version' | 'slug' | 'title' | 'path' | 'scope' | 'brain_id' | 'is_active' | 'document'
> {
  resource_id: string
  /** Null for the first version. */
  delta: Delta | null
  author: string
  author_permissions: Permission[]
  note: string | null
  created_at: string
}

export const ResourceVersionEntity = new EntitySchema<ResourceVersion>({
  name: 'resource_version',
  tableName: 'resource_versions',
  columns: {
    resource_id: { type: 'uuid', primary: true },
    version: { type: 'integer', primary: true },
    slug: { type: 'text' },
    title: { type: 'text' },
    path: { type: 'text' },
    scope: { type: 'text' },
    brain_id: { type: 'uuid', nullable: true },
    is_active: { type: 'boolean' },
    document: { type: 'json' },
    delta: { type: 'jsonb', nullable: true },
    author: { type: 'text' },
    author_permissions: { type: 'text', array: true },
    note: { type: 'text', nullable: true },
    created_at: isoTime,
  },
})
