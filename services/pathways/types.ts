import type { Problem } from '../../domain/shared/json/json.ts'
import type { PathwayDefinition } from '../../domain/pathways/definition.ts'
import type { DryRunReport, DryRunRequest } from '../../domain/pathways/dry-run.ts'
import type { Principal } from '../../domain/access/principal.ts'
import type { ProductService } from '../resources/products/product.ts'
import type { HeadView } from '../../contract/resources/head.ts'

/** A pathway as the API shows it. */
export interface PathwayView extends HeadView {
  type: 'pathways'
  description: string | null
  definition: PathwayDefinition
  /** What may fail in a run, and untrusted content that reaches an effect; after a save. */
  warnings?: Problem[]
}

/** What would come of saving a definition. The pointers begin with `/definition`. */
export interface DefinitionReport {
  valid: boolean
  problems: Problem[]
  /** What may fail in a run; none while there are problems. */
  warnings: Problem[]
}

/** What a run would do. */
export interface Simulation extends DryRunReport {
  title: string
  /** What may fail in a run, and untrusted content that reaches an effect. */
  warnings?: Problem[]
}

/** The use cases of pathways. A save throws ValidationError with every problem of the `definition` by JSON pointer. */
export interface PathwaysService extends ProductService<PathwayView> {
  /** Checks a definition as a save does, and saves nothing. */
  validate(principal: Principal, definition: unknown): Promise<DefinitionReport>
  /** Simulates a run of a definition as it is sent. */
  dryRunDefinition(principal: Principal, request: DryRunRequest & { definition: unknown }): Promise<Simulation>
  /** Simulates a run with mocked node outputs, by node id or key. No node is executed. */
  dryRun(principal: Principal, idOrSlug: string, request: DryRunRequest & { definition?: unknown }): Promise<Simulation>
}
