import type { PathwayDefinition } from '../../domain/pathway/definition.ts'
import type { DryRunReport, DryRunRequest } from '../../domain/pathway/dry-run.ts'
import type { Principal } from '../../domain/principal.ts'
import type { Idempotency } from '../jobs/types.ts'
import type { VersionView } from '../resources/types.ts'

/** A pathway as the API shows it. */
export interface PathwayView {
  id: string
  slug: string
  type: 'pathways'
  title: string
  description: string | null
  path: string
  brain_id: string | null
  is_active: boolean
  version: number
  definition: PathwayDefinition
  created_at: string
  updated_at: string
  deleted_at: string | null
}

/** Fields of a save. `definition` comes unvalidated; every problem in it is listed by JSON pointer in a ValidationError. */
export interface PathwayFields {
  title?: string
  description?: string | null
  slug?: string
  path?: string
  brain_id?: string | null
  is_active?: boolean
  definition?: unknown
  note?: string
}

export interface PathwaysService {
  list(
    who: Principal,
    page: { limit: number; offset: number; is_active?: boolean },
  ): Promise<{ data: PathwayView[]; total: number }>
  create(
    who: Principal,
    fields: PathwayFields & { definition: unknown },
    idempotency?: Idempotency,
  ): Promise<PathwayView>
  /** `version` reads a historical snapshot. */
  read(who: Principal, idOrSlug: string, version?: number): Promise<PathwayView>
  patch(who: Principal, idOrSlug: string, fields: PathwayFields, expectedVersion?: number): Promise<PathwayView>
  remove(who: Principal, idOrSlug: string): Promise<void>
  restore(who: Principal, idOrSlug: string): Promise<PathwayView>
  history(
    who: Principal,
    idOrSlug: string,
    page: { limit: number; offset: number },
  ): Promise<{ data: VersionView[]; total: number }>
  /** Walks the graph with mocked node outputs, by node id or key; nothing is run. */
  dryRun(who: Principal, idOrSlug: string, request: DryRunRequest & { definition?: unknown }): Promise<DryRunReport>
}
