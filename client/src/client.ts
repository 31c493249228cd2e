import { ApiPromise } from './core/api-promise.ts'
import { type ClientOptions, type ClientSettings, resolveOptions } from './core/settings.ts'
import { type Payload, type Repeats, type RequestOptions, Transport } from './core/transport.ts'
import { Operations } from './generated/resources.ts'
import { findRepeats } from './core/repeats.ts'
import { Chat } from './resources/chat.ts'
import { Inbox } from './resources/inbox.ts'
import { Jobs } from './resources/jobs.ts'
import { Neurons } from './resources/neurons.ts'
import { Pathways } from './resources/pathways.ts'

/** The Ganglion client. It has a field for each API noun, with a method for each operation. */
export class Ganglion extends Operations {
  override readonly chat: Chat
  override readonly jobs: Jobs
  override readonly neurons: Neurons
  override readonly pathways: Pathways
  readonly inbox: Inbox
  readonly #options: ClientOptions

  constructor(options: ClientOptions = {}) {
    super(new Transport(resolveOptions(options)))
    this.#options = options
    this.chat = new Chat(this)
    this.jobs = new Jobs(this)
    this.neurons = new Neurons(this)
    this.pathways = new Pathways(this)
    this.inbox = new Inbox(this)
  }

  /** Returns a copy of the client with different settings, such as another brain. */
  with(settings: ClientSettings): Ganglion {
    return new Ganglion({ ...this.#options, ...settings })
  }

  /**
   * Sends a request to any path, such as `/v1/jobs?limit=1`. Retries follow the rules for the operation at this path.
   * If no operation is known for the path, only GET requests are retried.
   */
  request<T = unknown>(method: string, path: string, payload: Payload = {}, options?: RequestOptions): ApiPromise<T> {
    const repeats: Repeats = findRepeats(method, path)
    return new ApiPromise(this.transport.json<T>({ method, path, repeats, ...payload }, options))
  }
}
