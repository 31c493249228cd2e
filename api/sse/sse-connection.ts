import type { ServerResponse } from 'node:http'

/** A client with more unread bytes than this is disconnected. */
const MAX_QUEUE_BYTES = 1_048_576
/** A client that reads nothing for this many milliseconds is disconnected. */
const MAX_DRAIN_MS = 10_000

export const EVENT_STREAM = 'text/event-stream; charset=utf-8'

const HEADERS = {
  'Content-Type': EVENT_STREAM,
  'Cache-Control': 'no-cache, no-transform',
  'X-Accel-Buffering': 'no',
}

/** A connection to a client. A client that reads too slowly is disconnected and can resume. */
export interface SseConnection {
  /** True until the connection is closed. */
  isOpen(): boolean
  /** Writes or queues a frame. Returns false if the caller should wait for `whenDrained`. */
  send(frame: Buffer): boolean
  /** Resolves when all frames are written, or the connection is closed. */
  whenDrained(): Promise<void>
  /** Ends the response after the queued frames. */
  end(): void
  /** Sends the keep-alive, if given. Disconnects a client that has been stuck for too long. */
  tick(now: number, keepAlive: Buffer | undefined): void
}

/** Sends the response headers and the first frame. */
export function openSseConnection(res: ServerResponse, first: Buffer): SseConnection {
  const queue: Buffer[] = []
  let queued = 0
  let stuckSince: number | undefined
  let ending = false
  let waiters: (() => void)[] = []

  function write(frame: Buffer): boolean {
    const more = res.write(frame)
    if (!more) stuckSince = Date.now()
    return more
  }

  function send(frame: Buffer): boolean {
    if (!isOpen()) return true
    if (!isStuck()) return write(frame)
    queue.push(frame)
    queued += frame.length
    if (queued > MAX_QUEUE_BYTES) res.destroy()
    return false
  }

  function flush(): void {
    stuckSince = undefined
    queued = 0
    for (const frame of queue.splice(0)) send(frame)
    if (isStuck()) return
    release()
    if (ending) res.end()
  }

  function release(): void {
    const released = waiters
    waiters = []
    for (const resolve of released) resolve()
  }

  const isOpen = () => !res.destroyed && !res.writableEnded
  const isStuck = () => stuckSince !== undefined

  res.on('drain', flush)
  res.on('close', release)
  res.on('error', release)
  res.writeHead(200, HEADERS)
  write(first)

  return {
    isOpen,
    send,
    whenDrained: () => (!isStuck() || !isOpen() ? Promise.resolve() : new Promise(resolve => waiters.push(resolve))),
    end() {
      ending = true
      if (!isStuck()) res.end()
    },
    tick(now, keepAlive) {
      if (stuckSince === undefined) {
        if (keepAlive) send(keepAlive)
      } else if (now - stuckSince > MAX_DRAIN_MS) res.destroy()
    },
  }
}
