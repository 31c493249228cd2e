import type { JsonObject } from '../../domain/json.ts'
import type { Principal } from '../../domain/principal.ts'
import type { Accepted, Speech } from '../conversations/types.ts'
import type { Idempotency } from '../jobs/types.ts'
import type { ProductService } from '../products/types.ts'

export interface NeuronCall extends Speech {
  /** By id or slug, `@version` where one is meant. */
  neuron: string
  /** Values for the instructions. */
  variables?: JsonObject
}

export interface NeuronsService extends ProductService {
  /**
   * Accepts a run. Throws NotFound for a neuron or thread that is not there, Conflict for one that is switched off,
   * ValidationError for instructions that lack a value.
   */
  start(principal: Principal, call: NeuronCall, idempotency?: Idempotency): Promise<Accepted>
}
