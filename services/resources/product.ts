import type { ResourceKind } from '../../domain/resources/kinds/index.ts'
import type { Principal } from '../../domain/access/principal.ts'
import type { ReferringResources } from '../../contract/resources/reference.ts'
import type { ResourceView, ResourceQuery, RestoreBody } from '../../contract/resources/resource.ts'
import type { ProductView } from '../../contract/resources/product.ts'
import type { VersionView, VersionRange, ResourceDiff } from '../../contract/resources/version.ts'
import type { PageQuery } from '../../contract/shared/query.ts'
import { rethrowFlattened } from './flatten-pointers.ts'
import type { ResourcesService } from './resources.ts'
import type { NewFields } from './saving.ts'
import type { Idempotency } from '../shared/idempotency.ts'
import { splitHeadAndDocument, splitChange } from './product-fields.ts'

/** A save's fields: head fields and document fields. The document fields are not yet validated. */
export type ProductFields = Omit<NewFields, 'document'> & { [field: string]: unknown }

/** The operations on one kind in its product form, based on the same rows as the catalog. */
export interface ProductService<View = ProductView, New = ProductFields, Change = ProductFields> {
  list(principal: Principal, filter: ResourceQuery): Promise<{ data: View[]; total: number }>
  create(principal: Principal, fields: New, idempotency?: Idempotency): Promise<View>
  /** With `version`, reads that version. */
  read(principal: Principal, idOrSlug: string, version?: number): Promise<View>
  /** Undefined fields keep their values. */
  patch(principal: Principal, idOrSlug: string, change: Change, expectedVersion?: number): Promise<View>
  /** Deletes a resource, which can be restored later. Returns the resources that still reference it. */
  remove(principal: Principal, idOrSlug: string): Promise<ReferringResources>
  restore(principal: Principal, idOrSlug: string, options?: RestoreBody): Promise<View>
  history(principal: Principal, idOrSlug: string, page: PageQuery): Promise<{ data: VersionView[]; total: number }>
  /** Lists the live resources whose latest versions reference the resource, newest first. */
  users(principal: Principal, idOrSlug: string, page: PageQuery): Promise<ReferringResources>
  /** Compares two versions, in the catalog form. */
  diff(principal: Principal, idOrSlug: string, range: VersionRange): Promise<ResourceDiff>
}

export function presentProduct({ document, created_at, updated_at, deleted_at, ...head }: ResourceView): ProductView {
  return { ...head, ...document, created_at, updated_at, deleted_at }
}

/** Creates the service for one resource kind in its product form. */
export function createProduct<View = ProductView>(
  resources: ResourcesService,
  kind: ResourceKind,
  view: (resource: ResourceView) => View = resource => presentProduct(resource) as View,
): ProductService<View> {
  return {
    async list(principal, filter) {
      const { data, total } = await resources.list(principal, kind, filter)
      return { data: data.map(view), total }
    },

    async create(principal, { note, ...fields }, idempotency) {
      const { head, document } = splitHeadAndDocument(fields)
      return view(
        await resources.create(principal, kind, { ...head, note, document }, idempotency).catch(rethrowFlattened),
      )
    },

    read: async (principal, idOrSlug, version) => view(await resources.read(principal, kind, idOrSlug, version)),

    async patch(principal, idOrSlug, { note, ...fields }, expected_version) {
      const { head, document } = splitChange(fields)
      const edit = resources.edit(
        principal,
        kind,
        idOrSlug,
        before => ({ ...before, ...head, document: withoutNulls({ ...before.document, ...document }) }),
        { expected_version, note },
      )
      return view(await edit.catch(rethrowFlattened))
    },

    remove: (principal, idOrSlug) => resources.remove(principal, kind, idOrSlug),
    restore: async (principal, idOrSlug, options) =>
      view(await resources.restore(principal, kind, idOrSlug, options).catch(rethrowFlattened)),
    history: (principal, idOrSlug, page) => resources.history(principal, kind, idOrSlug, page),
    users: (principal, idOrSlug, page) => resources.users(principal, kind, idOrSlug, page),
    diff: (principal, idOrSlug, range) => resources.diff(principal, kind, idOrSlug, range),
  }
}

/** Removes null fields, so that the defaults apply. */
const withoutNulls = (document: object): object =>
  Object.fromEntries(Object.entries(document).filter(([, value]) => value !== null))
