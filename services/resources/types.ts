import type { Operation } from 'fast-json-patch'
import type { Problem } from '../../domain/json.ts'
import type { Document } from '../../domain/resources/kind.ts'
import type { ResourceKind } from '../../domain/resources/kinds/index.ts'
import type { Change, Delta, Editable } from '../../domain/resources/patching.ts'
import type { Principal } from '../../domain/principal.ts'
import type { Tx } from '../../data/database.ts'
import type { Idempotency } from '../jobs/types.ts'

/** A head as the catalog shows it; kinds may add fields of their own (`snapshot` of a stakeholder map). */
export interface ResourceView {
  id: string
  slug: string
  type: ResourceKind
  title: string
  path: string
  brain_id: string | null
  scope: 'core' | 'workspace' | 'brain'
  is_active: boolean
  version: number
  document: Document
  created_at: string
  updated_at: string
  deleted_at: string | null
}

export interface VersionView {
  version: number
  author: string
  note: string | null
  /** What the version changed; null for the first one. */
  delta: Delta | null
  created_at: string
}

/** What a new resource is made of. `document` comes unchecked; the slug is made of the title when it is left out. */
export interface NewFields {
  title?: string
  slug?: string
  path?: string
  brain_id?: string | null
  is_active?: boolean
  document?: unknown
  note?: string
}

/** The central patch: exactly one way to say the change. */
export type PatchEnvelope = (Change | { content: ContentChange }) & { expected_version?: number; note?: string }

/** A change of a text that is stored beside the document. Each `find` has to be there exactly once. */
export type ContentChange = { replace: string } | { append: string } | { edits: { find: string; replace: string }[] }

export interface ResourceDiff {
  from: number
  to: number
  changed: string[]
  /** RFC 6902, from the one to the other. */
  ops: Operation[]
}

export interface ListFilter {
  is_active?: boolean
  /** The folder it lies in. */
  path?: string
  limit: number
  offset: number
}

/** Changes what may be edited of a head, inside the transaction that saves it. */
export type Edit = (before: Editable, tx: Tx) => unknown

export interface EditOptions {
  expected_version?: number
  note?: string
}

/**
 * Everything durable, of every kind, in one shape. Every change of a document is a new version; ids of other workspaces,
 * and of brains out of reach, give NotFound.
 */
export interface ResourcesService {
  list(principal: Principal, kind: ResourceKind, filter: ListFilter): Promise<{ data: ResourceView[]; total: number }>
  create(principal: Principal, kind: ResourceKind, fields: NewFields, idempotency?: Idempotency): Promise<ResourceView>
  /** `version` reads a historical snapshot. */
  read(principal: Principal, kind: ResourceKind, idOrSlug: string, version?: number): Promise<ResourceView>
  patch(principal: Principal, kind: ResourceKind, idOrSlug: string, envelope: PatchEnvelope): Promise<ResourceView>
  /** The same for a change that is code. */
  edit(
    principal: Principal,
    kind: ResourceKind,
    idOrSlug: string,
    edit: Edit,
    options: EditOptions,
  ): Promise<ResourceView>
  remove(principal: Principal, kind: ResourceKind, idOrSlug: string): Promise<void>
  restore(principal: Principal, kind: ResourceKind, idOrSlug: string): Promise<ResourceView>
  history(
    principal: Principal,
    kind: ResourceKind,
    idOrSlug: string,
    page: { limit: number; offset: number },
  ): Promise<{ data: VersionView[]; total: number }>
  diff(
    principal: Principal,
    kind: ResourceKind,
    idOrSlug: string,
    range: { from: number | 'live'; to: number | 'live' },
  ): Promise<ResourceDiff>
}

/** What only the rest of the workspace can tell about a document. Pointers begin at the document. */
export type KindRule = (tx: Tx, principal: Principal, document: Document, selfId?: string) => Promise<Problem[]>
