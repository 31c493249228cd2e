import type { RequestOptions } from '../core/transport.ts'
import { ChatOperations, type Operations } from '../generated/resources.ts'
import { Run } from '../run.ts'
import type { Body } from '../types.ts'

/** A run that answers a message in a thread. */
export class ChatRun extends Run {
  readonly traceId: string

  constructor(api: Operations, { job_id, trace_id }: { job_id: string; trace_id: string }) {
    super(api, job_id)
    this.traceId = trace_id
  }
}

export class Chat extends ChatOperations {
  readonly #api: Operations

  constructor(api: Operations) {
    super(api.transport)
    this.#api = api
  }

  /** Sends a message to a thread (`new` creates one) and returns a handle for the run that answers it. */
  async run(traceId: string, body: Body<'chat.send'>, options?: RequestOptions): Promise<ChatRun> {
    return new ChatRun(this.#api, await this.send(traceId, body, options))
  }
}
