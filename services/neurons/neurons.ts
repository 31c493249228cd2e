import type { Config } from '../../config/config.ts'
import type { Database } from '../../data/database.ts'
import type { Launcher } from '../jobs/launch.ts'
import { createProduct } from '../products/product.ts'
import type { ResourcesService } from '../resources/types.ts'
import { createStart } from './start.ts'
import type { NeuronsService } from './types.ts'

interface Deps {
  db: Database
  resources: ResourcesService
  launcher: Launcher
  config: Pick<Config, 'IDEMPOTENCY_HOURS'>
}

/** Neurons as a product: agents that are stored, versioned and run. */
export function createNeurons({ db, resources, launcher, config }: Deps): NeuronsService {
  return {
    ...createProduct(resources, 'neurons'),
    start: createStart({ db, launcher, idempotencyHours: config.IDEMPOTENCY_HOURS }),
  }
}
