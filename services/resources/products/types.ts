import type { ResourceKind } from '../../../domain/resources/kinds/index.ts'
import type { Principal } from '../../../domain/access/principal.ts'
import type { Idempotency } from '../../shared/idempotency.ts'
import type {
  ListFilter,
  NewFields,
  ResourceDiff,
  ResourceView,
  RestoreOptions,
  UserPage,
  VersionRange,
  VersionView,
} from '../types.ts'

/** A resource in its product's shape: the fields of its document are beside those of all kinds. */
export type ProductView = Omit<ResourceView, 'document' | 'type'> & { type: ResourceKind; [field: string]: unknown }

/** The fields of a save: those of the head, and those of the document without validation. */
export type ProductFields = Omit<NewFields, 'document'> & { [field: string]: unknown }

/** The use cases of one kind in its product's shape, over the same rows as the catalog. */
export interface ProductService<View = ProductView, New = ProductFields, Change = ProductFields> {
  list(principal: Principal, filter: ListFilter): Promise<{ data: View[]; total: number }>
  create(principal: Principal, fields: New, idempotency?: Idempotency): Promise<View>
  /** `version` reads a former version. */
  read(principal: Principal, idOrSlug: string, version?: number): Promise<View>
  /** Undefined fields are unchanged. */
  patch(principal: Principal, idOrSlug: string, change: Change, expectedVersion?: number): Promise<View>
  /** Deletes a resource, which can be restored. Returns what still refers to it. */
  remove(principal: Principal, idOrSlug: string): Promise<UserPage>
  restore(principal: Principal, idOrSlug: string, options?: RestoreOptions): Promise<View>
  history(
    principal: Principal,
    idOrSlug: string,
    page: { limit: number; offset: number },
  ): Promise<{ data: VersionView[]; total: number }>
  /** Lists the live resources whose latest versions refer to the resource, newest first. */
  users(principal: Principal, idOrSlug: string, page: { limit: number; offset: number }): Promise<UserPage>
  /** Compares two versions, in the shape of the catalog. */
  diff(principal: Principal, idOrSlug: string, range: VersionRange): Promise<ResourceDiff>
}
