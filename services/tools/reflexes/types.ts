import type { Problem } from '../../../domain/shared/json/json.ts'
import type { Principal } from '../../../domain/access/principal.ts'
import type { ReflexDocument } from '../../../domain/resources/kinds/reflexes.ts'
import type { Idempotency } from '../../shared/idempotency.ts'
import type { ProductFields, ProductService } from '../../resources/products/types.ts'
import type { HeadView } from '../../resources/types.ts'

/** A reflex as the API shows it, with names of secrets only. */
export interface ReflexView extends HeadView, ReflexDocument {
  type: 'reflexes'
  /** Secrets that the workspace does not have, by JSON pointer, after a save. */
  warnings?: Problem[]
}

/** A saved reflex, with the job that lists the tools of its source. */
export interface SavedReflex extends ReflexView {
  job_id: string | null
}

/** The use cases of reflexes. */
export interface ReflexesService extends ProductService<ReflexView> {
  /** `job_id` is null when the tools are known, or when the job could not be started; `refresh` starts it later. */
  create(principal: Principal, fields: ProductFields, idempotency?: Idempotency): Promise<SavedReflex>
  patch(principal: Principal, idOrSlug: string, fields: ProductFields, expectedVersion?: number): Promise<SavedReflex>
  /** Lists the tools of the source again. Throws ValidationError when the reflex has no such source. */
  refresh(
    principal: Principal,
    idOrSlug: string,
    idempotency?: Idempotency,
  ): Promise<{ job_id: string; status: 'pending' }>
}
