import type { Database } from '../../../data/shared/database.ts'
import { createIdempotencyKeys } from '../../../services/shared/idempotency.ts'
import { createPathways, type PathwaysService } from '../../../services/pathways/pathways.ts'
import { createRules } from '../../../services/resources/rules.ts'
import { createResources, type ResourcesService } from '../../../services/resources/resources.ts'
import { evaluator } from '../documents/evaluator.ts'

/** Creates the core services for a database, as the processes do. */
export function createSpine(db: Database): { resources: ResourcesService; pathways: PathwaysService } {
  const resources = createResources({
    db,
    evaluator,
    rules: createRules(evaluator),
    idempotencyKeys: createIdempotencyKeys({ hours: 24 }),
  })
  return { resources, pathways: createPathways({ db, resources, evaluator }) }
}
