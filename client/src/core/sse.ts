import { createParser } from 'eventsource-parser'

export interface Entry<E> {
  id?: string
  event: E
}

/** A comment from the server. Comments arrive only between events. */
export const COMMENT = Symbol('comment')

/**
 * Reads all events and comments in one response. An event without its final blank line is returned, but an incomplete
 * event is not. Rejects with the signal's abort reason.
 * @param beat called whenever data arrives
 */
export async function* readEntries<E>(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  signal: AbortSignal,
  beat: () => void,
): AsyncGenerator<Entry<E> | typeof COMMENT, void, undefined> {
  const entries: (Entry<E> | typeof COMMENT)[] = []
  const decoder = new TextDecoder()
  let isLast = false
  const parser = createParser({
    onEvent({ id, data }) {
      const event = parse(data, isLast)
      if (event !== undefined) entries.push({ id, event: event as E })
    },
    onComment: () => void entries.push(COMMENT),
  })
  while (!isLast) {
    const { done, value } = await abortable(reader.read(), signal)
    beat()
    isLast = done
    parser.feed(done ? `${decoder.decode()}\n\n` : decoder.decode(value, { stream: true }))
    yield* entries.splice(0)
  }
}

/** Parses the data of an event. Returns undefined for an incomplete event at the end of a connection. */
function parse(data: string, mayBeCut: boolean): unknown {
  try {
    return JSON.parse(data)
  } catch (error) {
    if (mayBeCut) return undefined
    throw error
  }
}

/** Rejects when the signal aborts, because some runtimes leave a read pending after the request is aborted. */
function abortable<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason as Error)
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort, { once: true })
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}
