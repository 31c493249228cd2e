import type { RequestOptions } from '../core/transport.ts'
import { type Operations, PathwaysOperations } from '../generated/resources.ts'
import { Run } from '../run.ts'
import type { Body } from '../types.ts'

export class Pathways extends PathwaysOperations {
  readonly #api: Operations

  constructor(api: Operations) {
    super(api.transport)
    this.#api = api
  }

  /** Starts a run of a pathway (workflow), by id or slug. Returns a handle for the run. */
  async run(id: string, { input, brain_id, ...options }: Body<'pathways.execute'> & RequestOptions = {}): Promise<Run> {
    const { job_id } = await this.execute(id, { input, brain_id }, options)
    return new Run(this.#api, job_id)
  }
}
