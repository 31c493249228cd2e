import type { Logger } from 'pino'
import { Unavailable } from '../../domain/shared/errors.ts'
import { CLOSING, PING } from './frames.ts'
import type { SseConnection } from './sse-connection.ts'
import type { AccessService } from '../../services/access/access.ts'
import type { Caller } from '../../services/access/callers.ts'

/** An open stream to a client. */
export interface OpenStream {
  workspaceId: string
  /** The caller when the stream was opened. */
  caller: Caller
  connection: SseConnection
}

/** Callbacks for streams of one kind. */
export interface StreamChecks<S extends OpenStream> {
  /** Called every second. */
  tick?(): void
  /** Called once per keep-alive interval with the open streams of a workspace. */
  check(workspaceId: string, streams: S[]): Promise<void>
}

export interface SseRegistry<S extends OpenStream> {
  /** Registers a stream, and sends it keep-alives until the stream is removed. */
  add(stream: S): void
  remove(stream: S): void
  isClosed(): boolean
  /** Throws Unavailable if the registry is closed. */
  checkOpen(): void
  /** Ends all streams. */
  close(): void
}

interface Deps<S extends OpenStream> {
  checks: StreamChecks<S>
  access: StreamAccess
  pingSeconds: number
  log: Logger
}

/** Services that find streams that must end. */
export type StreamAccess = Pick<AccessService, 'findChangedCallers'>

/**
 * Streams opened with a revoked or changed credential must end within five seconds everywhere. The two remaining seconds allow
 * one second each for the timer and the query.
 */
const CREDENTIALS_SECONDS = 3

/**
 * Holds all open streams of one kind in the process, with one timer that fires every second. Keep-alives are spread
 * over the interval, so that a thousand of them don't delay tokens.
 */
export function createSseRegistry<S extends OpenStream>({ checks, access, pingSeconds, log }: Deps<S>): SseRegistry<S> {
  /** Streams, each with the second of the interval in which the stream gets its keep-alive. */
  const streams = new Map<S, number>()
  let second = 0
  let seconds = 0
  let isClosed = false
  const endForCredentials = eachWorkspace(endStreams)
  const check = eachWorkspace((workspaceId, entries) => checks.check(workspaceId, entries))

  function tick(): void {
    const now = Date.now()
    second = (second + 1) % pingSeconds
    for (const [{ connection }, due] of streams) connection.tick(now, due === second ? PING : undefined)
    checks.tick?.()
    if (++seconds % CREDENTIALS_SECONDS === 0) void endForCredentials()
    if (second === 0) void check()
  }
  const timer = setInterval(tick, 1_000)

  /**
   * Returns a function that runs `work` for each workspace with open streams, and skips a workspace while its
   * previous call is still running.
   */
  function eachWorkspace(work: (workspaceId: string, entries: S[]) => Promise<void>): () => Promise<void> {
    let isAtWork = false
    return async () => {
      if (isAtWork) return
      isAtWork = true
      for (const [workspaceId, entries] of Map.groupBy(streams.keys(), ({ workspaceId }) => workspaceId))
        await work(workspaceId, entries).catch((err: unknown) => log.warn({ err }, 'checking open streams failed'))
      isAtWork = false
    }
  }

  /**
   * Disconnects streams whose credential has ended or expired, whose member was removed, or whose permissions, groups
   * or brains changed. A client that reconnects gets only what it now has access to.
   */
  async function endStreams(workspaceId: string, entries: S[]): Promise<void> {
    const changed = await access.findChangedCallers(
      workspaceId,
      entries.map(({ caller }) => caller),
    )
    const now = Date.now()
    for (const { caller, connection } of entries)
      if (changed.has(caller) || (caller.expires_at !== undefined && Date.parse(caller.expires_at) <= now))
        connection.end()
  }

  return {
    add: stream => void streams.set(stream, second),
    remove: stream => void streams.delete(stream),
    isClosed: () => isClosed,
    checkOpen() {
      if (isClosed) throw new Unavailable('This process is shutting down. Reconnect')
    },
    close() {
      isClosed = true
      clearInterval(timer)
      for (const { connection } of streams.keys()) {
        connection.send(CLOSING)
        connection.end()
      }
    },
  }
}
