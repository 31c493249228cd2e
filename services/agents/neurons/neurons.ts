import type { JobStarter } from '../../runs/start/job-starter.ts'
import { createProduct, type ProductService } from '../../resources/product.ts'
import { createStartNeuron, type NeuronCall } from './start-neuron.ts'
import type { ResourcesService } from '../../resources/resources.ts'
import type { Principal } from '../../../domain/access/principal.ts'
import type { Idempotency } from '../../shared/idempotency.ts'
import type { RunAccepted } from '../../../contract/agents/conversation.ts'

export interface NeuronsService extends ProductService {
  /**
   * Starts a run. Throws NotFound for an unknown neuron or thread, Conflict for an inactive neuron, and
   * ValidationError for missing instruction variables.
   */
  start(principal: Principal, call: NeuronCall, idempotency?: Idempotency): Promise<RunAccepted>
}

interface Deps {
  resources: ResourcesService
  jobStarter: JobStarter
}

/** Stores, versions and runs agents. */
export function createNeurons({ resources, jobStarter }: Deps): NeuronsService {
  return { ...createProduct(resources, 'neurons'), start: createStartNeuron(jobStarter) }
}
