import type { Principal } from '../../domain/principal.ts'
import type { ReflexDocument } from '../../domain/resources/kinds/reflexes.ts'
import type { Idempotency } from '../jobs/types.ts'
import type { ProductFields, ProductService } from '../products/types.ts'

/** A reflex as the API shows it. Of secrets it holds names only. */
export interface ReflexView extends ReflexDocument {
  id: string
  slug: string
  type: 'reflexes'
  title: string
  path: string
  brain_id: string | null
  is_active: boolean
  version: number
  created_at: string
  updated_at: string
  deleted_at: string | null
}

/** A save; where the tools have to be asked for elsewhere, with the job that does so. */
export interface SavedReflex extends ReflexView {
  job_id: string | null
}

/** Collections of tools, as a product over the spine. */
export interface ReflexesService extends ProductService<ReflexView> {
  /** `job_id` is null where there is nothing to ask for, or the job could not be started: then `refresh` does. */
  create(principal: Principal, fields: ProductFields, idempotency?: Idempotency): Promise<SavedReflex>
  patch(principal: Principal, idOrSlug: string, fields: ProductFields, expectedVersion?: number): Promise<SavedReflex>
  /** Asks the source for its tools again. Throws ValidationError where there is nobody to ask. */
  refresh(
    principal: Principal,
    idOrSlug: string,
    idempotency?: Idempotency,
  ): Promise<{ job_id: string; status: 'pending' }>
}
