import type { Database } from '../../data/shared/database.ts'
import { ValidationError } from '../../domain/shared/errors.ts'
import type { PathwayDefinition } from '../../domain/pathways/definition.ts'
import type { DryRunRequest } from '../../domain/pathways/dry-run.ts'
import { outputProblems } from '../../domain/pathways/dry-run-outputs.ts'
import type { Principal } from '../../domain/access/principal.ts'
import { inContext } from '../access/brains.ts'
import type { Evaluator } from './evaluation/evaluator.ts'
import { prepareRun } from '../runs/start/start-pathway.ts'
import { createProduct, type ProductService } from '../resources/product.ts'
import { getHead } from '../resources/finding.ts'
import { pathwayView, type PathwayDocument } from './document.ts'
import { AT, checkDefinition, listProblems } from './rule.ts'
import type { PathwayView } from '../../contract/pathways/pathway.ts'
import type { ResourcesService } from '../resources/resources.ts'
import type { PathwayValidation } from '../../contract/pathways/validation.ts'
import type { PathwayDryRun } from '../../contract/pathways/dry-run.ts'

/**
 * Operations on pathways. Saving throws ValidationError and lists every problem in the `definition` with its JSON
 * pointer.
 */
export interface PathwaysService extends ProductService<PathwayView> {
  /** Validates a definition as a save would, without saving it. */
  validate(principal: Principal, definition: unknown): Promise<PathwayValidation>
  /** Simulates a run of an unsaved definition. */
  dryRunDefinition(principal: Principal, request: DryRunRequest & { definition: unknown }): Promise<PathwayDryRun>
  /** Simulates a run with mocked node outputs, by node id or key. No node is executed. */
  dryRun(
    principal: Principal,
    idOrSlug: string,
    request: DryRunRequest & { definition?: unknown },
  ): Promise<PathwayDryRun>
}

interface Deps {
  db: Database
  resources: ResourcesService
  evaluator: Evaluator
}

const KIND = 'pathways'

/** Creates the pathways service, including dry runs. */
export function createPathways({ db, resources, evaluator }: Deps): PathwaysService {
  const product = createProduct(resources, KIND, pathwayView)

  const findWarnings = ({ workspace_id }: Principal, definition: PathwayDefinition) =>
    evaluator.evaluate(workspace_id, 'findWarnings', definition, AT)

  async function withWarnings(principal: Principal, pathway: PathwayView): Promise<PathwayView> {
    const warnings = await findWarnings(principal, pathway.definition)
    return warnings.length > 0 ? { ...pathway, warnings } : pathway
  }

  async function simulate(
    principal: Principal,
    pathway: { title: string; definition: PathwayDefinition },
    { input: sentInput, outputs = {} }: DryRunRequest,
  ) {
    const { workspace_id, actor } = principal
    const { definition } = pathway
    const run = { job: { job_id: 'dry-run', workspace_id }, requester: actor, input: sentInput }
    const { input, title } = await prepareRun(evaluator, pathway, run)
    const unknown = outputProblems(definition, outputs)
    if (unknown.length > 0) throw new ValidationError('The outputs must match the pathway', unknown)
    const [report, warnings] = await Promise.all([
      evaluator.evaluate(workspace_id, 'dryRun', definition, { input, outputs }),
      findWarnings(principal, definition),
    ])
    return { title, ...report, ...(warnings.length > 0 && { warnings }) }
  }

  return {
    ...product,

    create: async (principal, ...request) => withWarnings(principal, await product.create(principal, ...request)),

    patch: async (principal, ...request) => withWarnings(principal, await product.patch(principal, ...request)),

    restore: async (principal, ...request) => withWarnings(principal, await product.restore(principal, ...request)),

    async validate(caller, definition) {
      const principal = inContext(caller)
      const { workspace_id } = principal
      const problems = await db.inWorkspace(workspace_id, tx => listProblems(tx, principal, definition, evaluator))
      const valid = problems.length === 0
      const warnings = valid ? await findWarnings(principal, definition as PathwayDefinition) : []
      return { valid, problems, warnings }
    },

    async dryRunDefinition(caller, { definition: rawDefinition, ...request }) {
      const principal = inContext(caller)
      const definition = await db.inWorkspace(principal.workspace_id, tx =>
        checkDefinition(tx, principal, rawDefinition, evaluator),
      )
      return simulate(principal, { title: 'Pathway', definition }, request)
    },

    async dryRun(caller, idOrSlug, { definition: rawDefinition, ...request }) {
      const principal = inContext(caller)
      const pathway = await db.inWorkspace(principal.workspace_id, async tx => {
        const { document, title } = await getHead(tx, principal, { kind: KIND, idOrSlug })
        const storedDefinition = (document as PathwayDocument).definition
        return {
          title,
          definition:
            rawDefinition === undefined
              ? storedDefinition
              : await checkDefinition(tx, principal, rawDefinition, evaluator),
        }
      })
      return simulate(principal, pathway, request)
    },
  }
}
