import type { Database } from '../../data/database.ts'
import { ValidationError } from '../../domain/errors.ts'
import { outputProblems } from '../../domain/pathway/dry-run-outputs.ts'
import { dryRun } from '../../domain/pathway/dry-run.ts'
import { compileSchema } from '../../domain/schemas/json-schema.ts'
import { createProduct } from '../products/product.ts'
import { getHeadOrThrow } from '../resources/finding.ts'
import type { ResourcesService } from '../resources/types.ts'
import { pathwayView, type PathwayDocument } from './document.ts'
import { checkDefinition } from './rule.ts'
import type { PathwaysService } from './types.ts'

interface Deps {
  db: Database
  resources: ResourcesService
}

const KIND = 'pathways'

/** Creates the service of pathways: resources in the product's shape, and the dry run. */
export function createPathways({ db, resources }: Deps): PathwaysService {
  return {
    ...createProduct(resources, KIND, pathwayView),

    async dryRun(principal, idOrSlug, { input, outputs = {}, definition: sent }) {
      const definition = await db.inWorkspace(principal.workspace_id, async tx => {
        const { document } = await getHeadOrThrow(tx, principal, { kind: KIND, idOrSlug })
        return sent === undefined ? (document as PathwayDocument).definition : checkDefinition(tx, principal, sent)
      })
      const schema = definition.input && compileSchema(definition.input)
      const problems = schema && 'validate' in schema ? schema.validate(input ?? null, '/input') : []
      if (problems.length > 0)
        throw new ValidationError('The input must match the input schema of the pathway', problems)
      const unknown = outputProblems(definition, outputs)
      if (unknown.length > 0) throw new ValidationError('The outputs must match the pathway', unknown)
      return dryRun(definition, { input, outputs })
    },
  }
}
