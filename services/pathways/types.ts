import type { PathwayDefinition } from '../../domain/pathway/definition.ts'
import type { DryRunReport, DryRunRequest } from '../../domain/pathway/dry-run.ts'
import type { Principal } from '../../domain/principal.ts'
import type { ProductService } from '../products/types.ts'

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

/** The use cases of pathways. A save throws ValidationError with every problem of the `definition` by JSON pointer. */
export interface PathwaysService extends ProductService<PathwayView> {
  /** Simulates a run with mocked node outputs, by node id or key. No node is executed. */
  dryRun(
    principal: Principal,
    idOrSlug: string,
    request: DryRunRequest & { definition?: unknown },
  ): Promise<DryRunReport>
}
