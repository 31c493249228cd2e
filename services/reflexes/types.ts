import type { Principal } from '../../domain/principal.ts'
import type { ReflexDocument } from '../../domain/resources/kinds/reflexes.ts'
import type { Idempotency } from '../jobs/types.ts'
import type { ListFilter, VersionView } from '../resources/types.ts'

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

/** Fields of a save, unchecked. */
export interface ReflexFields {
  title?: string
  slug?: string
  path?: string
  brain_id?: string | null
  is_active?: boolean
  note?: string
  description?: string | null
  source?: unknown
  url?: unknown
  openapi?: unknown
  server_url?: unknown
  target?: unknown
  tools?: unknown
  secrets?: unknown
}

/** Collections of tools, as a product over the spine. */
export interface ReflexesService {
  list(who: Principal, filter: ListFilter): Promise<{ data: ReflexView[]; total: number }>
  /** `job_id` is null where there is nothing to ask for, or the job could not be started: then `refresh` does. */
  create(who: Principal, fields: ReflexFields, idempotency?: Idempotency): Promise<SavedReflex>
  read(who: Principal, idOrSlug: string, version?: number): Promise<ReflexView>
  patch(who: Principal, idOrSlug: string, fields: ReflexFields, expectedVersion?: number): Promise<SavedReflex>
  remove(who: Principal, idOrSlug: string): Promise<void>
  restore(who: Principal, idOrSlug: string): Promise<ReflexView>
  history(
    who: Principal,
    idOrSlug: string,
    page: { limit: number; offset: number },
  ): Promise<{ data: VersionView[]; total: number }>
  /** Asks the source for its tools again. Throws ValidationError where there is nobody to ask. */
  refresh(who: Principal, idOrSlug: string, idempotency?: Idempotency): Promise<{ job_id: string; status: 'pending' }>
}
