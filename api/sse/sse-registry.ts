import type { Logger } from 'pino'
import type { AccessService } from '../../services/access/types.ts'
import { CLOSING, PING } from './frames.ts'
import type { SseConnection } from './sse-connection.ts'

/** An open stream to a client. */
export interface OpenStream {
  workspaceId: string
  /** The credential that opened the stream. */
  credentialId: string
  /** When the credential expires, in milliseconds of Unix time. */
  expiresAt: number
  connection: SseConnection
}

/** What streams of a kind need beside keep-alives. */
export interface StreamChecks<S extends OpenStream> {
  /** Called every second. */
  tick?(): void
  /** Called once per interval with the open streams of a workspace. */
  check(workspaceId: string, streams: S[]): Promise<void>
}

export interface SseRegistry<S extends OpenStream> {
  /** Sends keep-alives until the stream is removed. */
  add(stream: S): void
  remove(stream: S): void
  isClosed(): boolean
  /** Ends all streams. */
  close(): void
}

interface Deps<S extends OpenStream> {
  checks: StreamChecks<S>
  access: Pick<AccessService, 'findEndedCredentials'>
  pingSeconds: number
  log: Logger
}

/**
 * All open streams of a kind in the process, with one timer that fires every second. Keep-alives are spread over the
 * interval, so that a thousand of them do not delay tokens.
 */
export function createSseRegistry<S extends OpenStream>({ checks, access, pingSeconds, log }: Deps<S>): SseRegistry<S> {
  /** Each stream with the second of the interval at which it gets its keep-alive. */
  const streams = new Map<S, number>()
  let second = 0
  let checking = false
  let closed = false

  function tick(): void {
    const now = Date.now()
    second = (second + 1) % pingSeconds
    for (const [{ connection }, due] of streams) connection.tick(now, due === second ? PING : undefined)
    checks.tick?.()
    if (second === 0 && !checking) void check()
  }
  const timer = setInterval(tick, 1_000)

  /** Once per interval, with few queries per workspace. */
  async function check(): Promise<void> {
    checking = true
    for (const [workspaceId, entries] of Map.groupBy(streams.keys(), ({ workspaceId }) => workspaceId)) {
      try {
        await endForCredentials(workspaceId, entries)
        await checks.check(workspaceId, entries)
      } catch (err) {
        log.warn({ err }, 'checking open streams failed')
      }
    }
    checking = false
  }

  /** Disconnects streams whose credential was revoked or has expired. A client that connects again gets 401. */
  async function endForCredentials(workspaceId: string, entries: S[]): Promise<void> {
    const ended = await access.findEndedCredentials(workspaceId, [
      ...new Set(entries.map(({ credentialId }) => credentialId)),
    ])
    const now = Date.now()
    for (const { credentialId, expiresAt, connection } of entries)
      if (ended.has(credentialId) || expiresAt <= now) connection.end()
  }

  return {
    add: stream => void streams.set(stream, second),
    remove: stream => void streams.delete(stream),
    isClosed: () => closed,
    close() {
      closed = true
      clearInterval(timer)
      for (const { connection } of streams.keys()) {
        connection.send(CLOSING)
        connection.end()
      }
    },
  }
}
