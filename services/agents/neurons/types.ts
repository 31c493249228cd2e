import type { JsonObject } from '../../../domain/shared/json/json.ts'
import type { Principal } from '../../../domain/access/principal.ts'
import type { AcceptedMessage, MessageInput } from '../conversations/types.ts'
import type { Idempotency } from '../../shared/idempotency.ts'
import type { ProductService } from '../../resources/products/product.ts'

export interface NeuronCall extends MessageInput {
  /** Id or slug, with an optional `@version`. */
  neuron: string
  /** Values for the instructions. */
  variables?: JsonObject
}

export interface NeuronsService extends ProductService {
  /**
   * Starts a run. Throws NotFound for an unknown neuron or thread, Conflict for an inactive neuron, and ValidationError
   * when the instructions lack a value.
   */
  start(principal: Principal, call: NeuronCall, idempotency?: Idempotency): Promise<AcceptedMessage>
}
