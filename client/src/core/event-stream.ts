import { AbortedError, APIError, ConnectionError, GanglionError, StreamLostError } from '../errors.ts'
import { isPassing, retryDelay } from './retries.ts'
import { linkSignals, sleep } from './signals.ts'
import { COMMENT, type Entry, readEntries } from './sse.ts'
import type { RequestSpec, Transport } from './transport.ts'

export interface StreamOptions {
  /** Id of the last event that was read. The stream resumes after this event. */
  after?: string
  /** Stops reading the stream. The run continues. */
  signal?: AbortSignal
  brain?: string
  headers?: Record<string, string>
  /** Called before each reconnect, with the reason why the previous connection ended. */
  onReconnect?: (reason: unknown) => void
}

/**
 * A connection without data for this many milliseconds is considered broken. The service sends a comment every 15
 * seconds.
 */
const IDLE_MS = 45_000
/** Maximum number of consecutive attempts without an event. */
const MAX_ATTEMPTS = 10
/** A connection that lasted this many milliseconds doesn't count as a failed attempt, even without an event. */
const STOOD_MS = 10_000

/**
 * The events of a stream, for use with `for await`. After a broken connection, the stream resumes after the last
 * event, so each event arrives once and in order. A run stream ends after `complete` or `error`. A workspace stream
 * ends when you stop reading.
 *
 * A `gap` event means that earlier events are no longer kept. In a run stream, the known state follows the `gap`
 * event, with the whole text of each node. Discard everything you read before the `gap` event.
 */
export class EventStream<E extends { type: string }> implements AsyncIterable<E> {
  readonly #transport: Transport
  readonly #request: RequestSpec
  readonly #options: StreamOptions
  #position: string | undefined
  readonly #hasEnded: () => Promise<boolean>
  /** Whether the current connection has received data, and an event. */
  #isOpen = false
  #isFruitful = false
  /** The position after the snapshot being read, which may still be incomplete. */
  #snapshot: string | undefined

  /** @param hasEnded whether the stream will receive no more events */
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

  /** Id of the last event that was returned. Another reader can resume after this event. */
  get lastEventId(): string | undefined {
    return this.#position
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<E, void, undefined> {
    const { signal, onReconnect } = this.#options
    let isAtEnd = false
    for (let failures = 0; ;) {
      const began = Date.now()
      let reason: unknown = new ConnectionError('The connection ended before the stream')
      try {
        for await (const { id, event } of this.#connect()) {
          failures = 0
          this.#advance(id, event)
          yield event
          if (isTerminal(event)) return
        }
        // A reader that starts after the last event receives nothing. Connect once more, to read events that arrived
        // before the response.
        if (this.#isOpen && !this.#isFruitful) {
          if (isAtEnd) return
          isAtEnd = await this.#hasEnded()
        }
      } catch (error) {
        if (signal?.aborted) throw new AbortedError('Reading the stream was aborted', { cause: signal.reason })
        if (isFinal(error)) throw error
        reason = error
      }
      if (Date.now() - began >= STOOD_MS) failures = 0
      if (++failures > MAX_ATTEMPTS) throw new StreamLostError(this.#position, reason)
      await sleep(retryDelay(reason, failures - 1), signal).catch((cause: unknown) => {
        throw new AbortedError('Reading the stream was aborted', { cause })
      })
      onReconnect?.(reason)
    }
  }

  /**
   * Updates the position after an event. All events in a snapshot have the id of the position after the snapshot. If
   * the connection breaks within a snapshot, the client requests the snapshot again, so that no event is lost.
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

  /** Yields the events from one connection. Ends when the server ends the connection. */
  async *#connect(): AsyncGenerator<Entry<E>, void, undefined> {
    const { signal, brain, headers } = this.#options
    const { controller, release } = linkSignals(signal)
    const watch = watchSilence(() =>
      controller.abort(new ConnectionError('The connection received no data for too long')),
    )
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

/** Whether another attempt would fail with the same error. */
const isFinal = (error: unknown): boolean =>
  APIError.is(error)
    ? error.status < 500 && !isPassing(error)
    : GanglionError.is(error) && !(error instanceof ConnectionError)

/** Calls `onSilence` if `beat` isn't called for `IDLE_MS`. */
function watchSilence(onSilence: () => void): { beat: () => void; stop: () => void } {
  let timer = setTimeout(onSilence, IDLE_MS)
  const stop = () => clearTimeout(timer)
  const beat = () => {
    stop()
    timer = setTimeout(onSilence, IDLE_MS)
  }
  return { beat, stop }
}
