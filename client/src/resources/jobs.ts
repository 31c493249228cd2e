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

  /** Streams a run's events until the run ends. The stream ends immediately if `after` is the last event. */
  override stream(jobId: string, options?: StreamOptions): EventStream<JobEvent> {
    const request = this.transport.describe('jobs.stream', [jobId], {})
    return new EventStream(this.transport, request, options, async () => ENDED.has((await this.status(jobId)).status))
  }

  /** Returns a handle for the run with this job id, without sending a request. */
  run(jobId: string): Run {
    return new Run(this.#api, jobId)
  }
}
