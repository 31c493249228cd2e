import { createParser } from 'eventsource-parser'

export interface Entry<E> {
  id?: string
  event: E
}

/** A comment of the server, which it sends between events only. */
export const COMMENT = Symbol('comment')

/**
 * Reads the events and comments of one response to its end. An event that is complete except for the blank line behind it
 * counts; a part of one does not. Rejects with the reason of the signal.
 * @param beat called for everything that arrives
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

/** Undefined for a part of an event, with which a connection may end. */
function parse(data: string, mayBeCut: boolean): unknown {
  try {
    return JSON.parse(data)
  } catch (error) {
    if (mayBeCut) return undefined
    throw error
  }
}

/** Some runtimes leave a read pending after the request was aborted. */
function abortable<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason as Error)
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort, { once: true })
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}
