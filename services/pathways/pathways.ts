import type { Database } from '../../data/database.ts'
import { ValidationError } from '../../domain/errors.ts'
import { outputProblems } from '../../domain/pathway/dry-run-outputs.ts'
import { inContext } from '../access/brains.ts'
import type { Evaluator } from '../evaluation/evaluator.ts'
import { validateInput } from '../jobs/start-pathway.ts'
import { createProduct } from '../products/product.ts'
import { getHeadOrThrow } from '../resources/finding.ts'
import type { ResourcesService } from '../resources/types.ts'
import { pathwayView, type PathwayDocument } from './document.ts'
import { checkDefinition } from './rule.ts'
import type { PathwaysService } from './types.ts'

interface Deps {
  db: Database
  resources: ResourcesService
  evaluator: Evaluator
}

const KIND = 'pathways'

/** Creates the service of pathways: resources in the product's shape, and the dry run. */
export function createPathways({ db, resources, evaluator }: Deps): PathwaysService {
  return {
    ...createProduct(resources, KIND, pathwayView),

    async dryRun(caller, idOrSlug, { input, outputs = {}, definition: sent }) {
      const principal = inContext(caller)
      const { workspace_id } = principal
      const definition = await db.inWorkspace(workspace_id, async tx => {
        const { document } = await getHeadOrThrow(tx, principal, { kind: KIND, idOrSlug })
        return sent === undefined
          ? (document as PathwayDocument).definition
          : checkDefinition(tx, principal, sent, evaluator)
      })
      await validateInput(evaluator, principal, { definition }, input ?? null)
      const unknown = outputProblems(definition, outputs)
      if (unknown.length > 0) throw new ValidationError('The outputs must match the pathway', unknown)
      return evaluator.evaluate(workspace_id, 'dryRun', definition, { input, outputs })
    },
  }
}
