import { EventStream } from '../core/event-stream.ts'
import { JobsOperations, type Operations } from '../generated/resources.ts'
import { Run } from '../run.ts'
import type { JobEvent, StreamOptions } from '../types.ts'

const ENDED = new Set(['completed', 'failed'])

export class Jobs extends JobsOperations {
  readonly #api: Operations

  constructor(api: Operations) {
    super(api.transport)
    this.#api = api
  }

  /** The events of a run, until it ends. Ends at once where `after` is its last event. */
  override stream(jobId: string, options?: StreamOptions): EventStream<JobEvent> {
    const request = this.transport.describe('jobs.stream', [jobId], {})
    return new EventStream(this.transport, request, options, async () => ENDED.has((await this.status(jobId)).status))
  }

  /** The handle of a run by its job id. Requests nothing. */
  run(jobId: string): Run {
    return new Run(this.#api, jobId)
  }
}
