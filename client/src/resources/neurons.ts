import type { RequestOptions } from '../core/transport.ts'
import { NeuronsOperations, type Operations } from '../generated/resources.ts'
import { Run } from '../run.ts'
import type { Body } from '../types.ts'

export class Neurons extends NeuronsOperations {
  readonly #api: Operations

  constructor(api: Operations) {
    super(api.transport)
    this.#api = api
  }

  /** Starts a run of a neuron (agent), by id or slug. Returns a handle for the run without waiting for the answer. */
  async run(id: string, body: Omit<Body<'neurons.invoke'>, 'stream'>, options?: RequestOptions): Promise<Run> {
    const { job_id } = await this.invoke(id, { ...body, stream: true } as Body<'neurons.invoke'>, options)
    return new Run(this.#api, job_id)
  }
}
