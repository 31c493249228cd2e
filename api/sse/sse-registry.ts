import type { Logger } from 'pino'
import { Unavailable } from '../../domain/shared/errors.ts'
import { CLOSING, PING } from './frames.ts'
import type { SseConnection } from './sse-connection.ts'
import type { AccessService } from '../../services/access/access.ts'

/** An open stream to a client. */
export interface OpenStream {
  workspaceId: string
  /** The stored credential that opened the stream. Absent for an access token. */
  credentialId?: string
  /** When the credential expires, in milliseconds of Unix time. */
  expiresAt: number
  /** The member whom a user token names, beside the publishable key. */
  member?: string
  connection: SseConnection
}

/** What streams of a kind need beside keep-alives. */
export interface StreamChecks<S extends OpenStream> {
  /** Called every second. */
  tick?(): void
  /** Called once per interval of keep-alives with the open streams of a workspace. */
  check(workspaceId: string, streams: S[]): Promise<void>
}

export interface SseRegistry<S extends OpenStream> {
  /** Sends keep-alives until the stream is removed. */
  add(stream: S): void
  remove(stream: S): void
  isClosed(): boolean
  /** Throws Unavailable once it is closed. */
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

/** What tells whose streams must end. */
export type StreamAccess = Pick<AccessService, 'findEndedCredentials' | 'findFormerMembers'>

/** A revoked credential ends within five seconds everywhere: one less for the timer, one for the query. */
const CREDENTIALS_SECONDS = 3

/**
 * All open streams of a kind in the process, with one timer that fires every second. Keep-alives are spread over the
 * interval, so that a thousand of them do not delay tokens.
 */
export function createSseRegistry<S extends OpenStream>({ checks, access, pingSeconds, log }: Deps<S>): SseRegistry<S> {
  /** Each stream with the second of the interval at which it gets its keep-alive. */
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

  /** Returns a function that does the work for each workspace with open streams, unless it is doing that already. */
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
   * Disconnects streams whose credential was revoked or has expired, or whose member was removed. A client that connects
   * again is refused.
   */
  async function endStreams(workspaceId: string, entries: S[]): Promise<void> {
    const credentials = new Set(entries.flatMap(({ credentialId }) => credentialId ?? []))
    const members = new Set(entries.flatMap(({ member }) => member ?? []))
    const [endedCredentials, former] = await Promise.all([
      access.findEndedCredentials(workspaceId, [...credentials]),
      members.size > 0 ? access.findFormerMembers(workspaceId, [...members]) : new Set<string>(),
    ])
    const now = Date.now()
    for (const { credentialId, expiresAt, member, connection } of entries)
      if ((credentialId && endedCredentials.has(credentialId)) || expiresAt <= now || (member && former.has(member)))
        connection.end()
  }

  return {
    add: stream => void streams.set(stream, second),
    remove: stream => void streams.delete(stream),
    isClosed: () => isClosed,
    checkOpen() {
      if (isClosed) throw new Unavailable('This process is shutting down; connect again')
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
