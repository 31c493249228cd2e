import { AbortedError, APIError, ConnectionError, GanglionError, StreamLostError } from '../errors.ts'
import { isPassing, retryDelay } from './retries.ts'
import { linkSignals, sleep } from './signals.ts'
import { COMMENT, type Entry, readEntries } from './sse.ts'
import type { RequestSpec, Transport } from './transport.ts'

export interface StreamOptions {
  /** The id of the last event that was read, to go on behind it. */
  after?: string
  /** Ends the reading. The run goes on. */
  signal?: AbortSignal
  brain?: string
  headers?: Record<string, string>
  /** Called before each new connection, with what ended the one before. */
  onReconnect?: (reason: unknown) => void
}

/** A connection without a byte for this long is taken as broken. The service sends a comment every 15 seconds. */
const IDLE_MS = 45_000
/** Attempts without an event after which a stream is given up. */
const MAX_ATTEMPTS = 10
/** A connection that stood for so long is no failed attempt, although no event came. */
const STOOD_MS = 10_000

/**
 * The events of a stream, by `for await`. A connection that breaks is taken up again behind the last event, so each event
 * comes once and in order. The stream of a run ends after `complete` or `error`; that of a workspace when it is left.
 *
 * `gap` says that events are no longer kept. In the stream of a run all that is known follows it, with the whole text of
 * each node: drop what was read before.
 */
export class EventStream<E extends { type: string }> implements AsyncIterable<E> {
  readonly #transport: Transport
  readonly #request: RequestSpec
  readonly #options: StreamOptions
  #position: string | undefined
  readonly #hasEnded: () => Promise<boolean>
  /** Whether the present connection has given a comment, and an event. */
  #isOpen = false
  #isFruitful = false
  /** The position behind a snapshot that may not be complete yet. */
  #snapshot: string | undefined

  /** @param hasEnded whether no event will be added to the stream */
  constructor(
    transport: Transport,
    request: RequestSpec,
    options: StreamOptions = {},
    hasEnded: () => Promise<boolean> = () => Promise.resolve(false),
  ) {
    this.#transport = transport
    this.#request = request
    this.#options = options
    this.#hasEnded = hasEnded
    this.#position = options.after
  }

  /** The id behind which another reader goes on: that of the last event that was given. */
  get lastEventId(): string | undefined {
    return this.#position
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<E, void, undefined> {
    const { signal, onReconnect } = this.#options
    let isAtEnd = false
    for (let failures = 0; ;) {
      const began = Date.now()
      let reason: unknown = new ConnectionError('The connection ended before the stream did')
      try {
        for await (const { id, event } of this.#connect()) {
          failures = 0
          this.#advance(id, event)
          yield event
          if (isTerminal(event)) return
        }
        // A reader that begins behind the last event gets none. One more connection reads what came before the answer.
        if (this.#isOpen && !this.#isFruitful) {
          if (isAtEnd) return
          isAtEnd = await this.#hasEnded()
        }
      } catch (error) {
        if (signal?.aborted) throw new AbortedError('The stream was left', { cause: signal.reason })
        if (isFinal(error)) throw error
        reason = error
      }
      if (Date.now() - began >= STOOD_MS) failures = 0
      if (++failures > MAX_ATTEMPTS) throw new StreamLostError(this.#position, reason)
      await sleep(retryDelay(reason, failures - 1), signal).catch((cause: unknown) => {
        throw new AbortedError('The stream was left', { cause })
      })
      onReconnect?.(reason)
    }
  }

  /**
   * All events of a snapshot have the id at which the stream goes on behind it. A connection that breaks within it gets
   * the snapshot again, so that none of them is lost.
   */
  #advance(id: string | undefined, { type }: E): void {
    if (id === undefined) return
    if (type === 'gap') this.#snapshot = id
    if (id === this.#snapshot) return
    this.#snapshot = undefined
    this.#position = id
  }

  #endSnapshot(): void {
    this.#position = this.#snapshot ?? this.#position
    this.#snapshot = undefined
  }

  /** The events of one connection. Ends when the server ends it. */
  async *#connect(): AsyncGenerator<Entry<E>, void, undefined> {
    const { signal, brain, headers } = this.#options
    const { controller, release } = linkSignals(signal)
    const watch = watchSilence(() => controller.abort(new ConnectionError('The connection was silent for too long')))
    const request = { ...this.#request, query: { ...this.#request.query, after: this.#position } }
    this.#snapshot = undefined
    this.#isOpen = false
    this.#isFruitful = false
    try {
      const options = { brain, headers: { ...headers, accept: 'text/event-stream' } }
      const { response } = await this.#transport.once(request, options, controller.signal)
      if (!response.body) return
      for await (const entry of readEntries<E>(response.body.getReader(), controller.signal, watch.beat)) {
        if (entry === COMMENT) {
          this.#isOpen = true
          this.#endSnapshot()
        } else {
          this.#isFruitful = true
          yield entry
        }
      }
    } finally {
      watch.stop()
      release()
      controller.abort()
    }
  }
}

const isTerminal = ({ type }: { type: string }): boolean => type === 'complete' || type === 'error'

/** What another attempt would end with again. */
const isFinal = (error: unknown): boolean =>
  APIError.is(error)
    ? error.status < 500 && !isPassing(error)
    : GanglionError.is(error) && !(error instanceof ConnectionError)

/** Calls `onSilence` when no beat came for a while. */
function watchSilence(onSilence: () => void): { beat: () => void; stop: () => void } {
  let timer = setTimeout(onSilence, IDLE_MS)
  const stop = () => clearTimeout(timer)
  const beat = () => {
    stop()
    timer = setTimeout(onSilence, IDLE_MS)
  }
  return { beat, stop }
}
