import type { Operation } from 'fast-json-patch'
import type { JsonValue, Problem } from '../../domain/shared/json/json.ts'
import type { Document } from '../../domain/resources/kind.ts'
import type { ResourceKind } from '../../domain/resources/kinds/index.ts'
import type { Change, Delta, Editable } from '../../domain/resources/patching.ts'
import type { Scope } from '../../domain/resources/scope.ts'
import type { TextEdit } from '../../domain/resources/text-edits.ts'
import type { Principal } from '../../domain/access/principal.ts'
import type { Tx } from '../../data/shared/database.ts'
import type { Idempotency } from '../shared/idempotency.ts'

/** A head in the shape of the catalog. */
export interface ResourceView {
  id: string
  slug: string
  type: ResourceKind
  title: string
  path: string
  brain_id: string | null
  scope: Scope
  is_active: boolean
  version: number
  document: Document
  /** The body of a stakeholder map; other kinds have none. */
  snapshot?: Document
  created_at: string
  updated_at: string
  deleted_at: string | null
}

/** What the views of all kinds share. */
export type HeadView = Omit<ResourceView, 'document' | 'snapshot'>

export interface VersionView {
  version: number
  author: string
  note: string | null
  /** Null for the first version. */
  delta: Delta | null
  created_at: string
}

/** The fields of a new resource. `document` is not validated; the slug defaults to one derived from the title. */
export interface NewFields {
  title?: string
  slug?: string
  path?: string
  scope?: Scope
  brain_id?: string | null
  is_active?: boolean
  document?: unknown
  /** The body of a stakeholder map. */
  snapshot?: unknown
  note?: string
}

/** A patch in exactly one of its forms. */
export type PatchEnvelope = (Change | { content: ContentChange }) & { expected_version?: number; note?: string }

/** A change of a text content. Each `find` must occur exactly once. */
export type ContentChange = { replace: string } | { append: string } | { edits: TextEdit[] }

/** A resource that refers to another one. */
export type UserView = Pick<ResourceView, 'id' | 'type' | 'slug' | 'title'>

export interface UserPage {
  data: UserView[]
  total: number
}

/** The two sides of a comparison. */
export interface VersionRange {
  from: number | 'live'
  to: number | 'live'
}

export interface ResourceDiff {
  from: number
  to: number
  changed: string[]
  /** RFC 6902 operations from the first side to the second. */
  ops: Operation[]
}

export interface ListFilter {
  is_active?: boolean
  /** The folder that directly holds the resources. */
  path?: string
  limit: number
  offset: number
}

/** Edits the editable fields of a head, in the transaction that saves it. */
export type Edit = (before: Editable, tx: Tx) => unknown

/** A resource that a dry run would save: its fields of the head and the document that are to change, or all of a new one. */
export interface DryRunResource extends NewFields {
  kind: ResourceKind
  slug: string
}

export interface DryRunResult {
  kind: ResourceKind
  slug: string
  action: 'create' | 'update' | 'unchanged' | 'invalid'
  /** The current version. Null if there is no such resource. */
  version: number | null
  /** The resource as the save would leave it. */
  resource: ResourceView | null
  /** Pointers of the product's shape, without `/document`. */
  problems: Problem[]
}

export interface RestoreOptions {
  /** The version to go back to. */
  version?: number
  note?: string
}

export interface EditOptions {
  expected_version?: number
  note?: string
  /** The delta that the edit applies, if it is one. */
  delta?: JsonValue
}

/**
 * The use cases of resources of all kinds. Each change of a document makes a new version; ids of other workspaces and
 * of brains that are not visible give NotFound.
 */
export interface ResourcesService {
  list(principal: Principal, kind: ResourceKind, filter: ListFilter): Promise<{ data: ResourceView[]; total: number }>
  create(principal: Principal, kind: ResourceKind, fields: NewFields, idempotency?: Idempotency): Promise<ResourceView>
  /** `version` reads a former version. */
  read(principal: Principal, kind: ResourceKind, idOrSlug: string, version?: number): Promise<ResourceView>
  patch(principal: Principal, kind: ResourceKind, idOrSlug: string, envelope: PatchEnvelope): Promise<ResourceView>
  /** Applies an edit that is code. Behaves like `patch`. */
  edit(
    principal: Principal,
    kind: ResourceKind,
    idOrSlug: string,
    edit: Edit,
    options: EditOptions,
  ): Promise<ResourceView>
  /** Validates the saves of several resources, which may refer to each other, and saves none. */
  dryRun(principal: Principal, wanted: readonly DryRunResource[]): Promise<DryRunResult[]>
  /** Deletes a resource, which can be restored. Returns what still refers to it. */
  remove(principal: Principal, kind: ResourceKind, idOrSlug: string): Promise<UserPage>
  /** Lists the live resources whose latest versions refer to the resource, newest first. */
  users(
    principal: Principal,
    kind: ResourceKind,
    idOrSlug: string,
    page: { limit: number; offset: number },
  ): Promise<UserPage>
  /** Restores a deleted resource. With `version` the title and document of that version become the next version. */
  restore(principal: Principal, kind: ResourceKind, idOrSlug: string, options?: RestoreOptions): Promise<ResourceView>
  history(
    principal: Principal,
    kind: ResourceKind,
    idOrSlug: string,
    page: { limit: number; offset: number },
  ): Promise<{ data: VersionView[]; total: number }>
  diff(principal: Principal, kind: ResourceKind, idOrSlug: string, range: VersionRange): Promise<ResourceDiff>
}

/**
 * Validates a document against other resources of the workspace. Pointers start at the document. `place` is where the
 * resource will belong; absent if that is not known.
 */
export type KindRule = (
  tx: Tx,
  principal: Principal,
  document: Document,
  selfId?: string,
  place?: { brain_id: string | null },
) => Promise<Problem[]>
