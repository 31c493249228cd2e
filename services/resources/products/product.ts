import type { ResourceKind } from '../../../domain/resources/kinds/index.ts'
import { rethrowFlattened } from '../flatten-pointers.ts'
import type { ResourcesService, ResourceView } from '../types.ts'
import { splitHeadAndDocument, splitChange } from './fields.ts'
import type { ProductService, ProductView } from './types.ts'

export function presentProduct({ document, created_at, updated_at, deleted_at, ...head }: ResourceView): ProductView {
  return { ...head, ...document, created_at, updated_at, deleted_at }
}

/** Creates the service of one resource kind in its product's shape. */
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
      const saving = resources.edit(
        principal,
        kind,
        idOrSlug,
        before => ({ ...before, ...head, document: withoutNulls({ ...before.document, ...document }) }),
        { expected_version, note },
      )
      return view(await saving.catch(rethrowFlattened))
    },

    remove: (principal, idOrSlug) => resources.remove(principal, kind, idOrSlug),
    restore: async (principal, idOrSlug, options) =>
      view(await resources.restore(principal, kind, idOrSlug, options).catch(rethrowFlattened)),
    history: (principal, idOrSlug, page) => resources.history(principal, kind, idOrSlug, page),
    users: (principal, idOrSlug, page) => resources.users(principal, kind, idOrSlug, page),
    diff: (principal, idOrSlug, range) => resources.diff(principal, kind, idOrSlug, range),
  }
}

/** Removes fields that are null, so that they get their defaults. */
const withoutNulls = (document: object): object =>
  Object.fromEntries(Object.entries(document).filter(([, value]) => value !== null))
