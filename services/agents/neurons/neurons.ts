import type { JobStarter } from '../../runs/start/job-starter.ts'
import { createProduct } from '../../resources/products/product.ts'
import { createStartNeuron } from './start-neuron.ts'
import type { NeuronsService } from './types.ts'
import type { ResourcesService } from '../../resources/resources.ts'

interface Deps {
  resources: ResourcesService
  jobStarter: JobStarter
}

/** Agents that are stored, versioned and run. */
export function createNeurons({ resources, jobStarter }: Deps): NeuronsService {
  return { ...createProduct(resources, 'neurons'), start: createStartNeuron(jobStarter) }
}
