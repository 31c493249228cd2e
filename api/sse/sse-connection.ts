import type { ServerResponse } from 'node:http'

/** What waits for a client that does not read, at most. */
const QUEUE_BYTES = 1_048_576
/** How long a client may leave what is written to it unread, in milliseconds. */
const DRAIN_MS = 10_000

export const EVENT_STREAM = 'text/event-stream; charset=utf-8'

const HEADERS = {
  'Content-Type': EVENT_STREAM,
  'Cache-Control': 'no-cache, no-transform',
  'X-Accel-Buffering': 'no',
}

/** One connection that events are written to. A client that does not keep up is dropped; it can resume. */
export interface SseClient {
  /** True until the connection is closed or dropped. */
  isOpen(): boolean
  /** Writes or queues a frame. False: better wait for `drained`. */
  send(frame: Buffer): boolean
  /** Resolves when everything is written, or the connection is gone. */
  drained(): Promise<void>
  /** Ends the response once everything is written. */
  end(): void
  /** A look at the clock: sends the keep-alive where one is due, and drops a client that has been stuck for too long. */
  tick(now: number, keepAlive: Buffer | undefined): void
}

/** Sends the head and the first frame, then takes events. */
export function openSseClient(res: ServerResponse, first: Buffer): SseClient {
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
    if (queued > QUEUE_BYTES) res.destroy()
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
    drained: () => (!isStuck() || !isOpen() ? Promise.resolve() : new Promise(resolve => waiters.push(resolve))),
    end() {
      ending = true
      if (!isStuck()) res.end()
    },
    tick(now, keepAlive) {
      if (stuckSince === undefined) {
        if (keepAlive) send(keepAlive)
      } else if (now - stuckSince > DRAIN_MS) res.destroy()
    },
  }
}
