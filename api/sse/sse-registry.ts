import type { Logger } from 'pino'
import type { AccessService } from '../../services/access/types.ts'
import type { JobSnapshots } from '../../services/jobs/types.ts'
import { CLOSING, PING } from './frames.ts'
import type { SseConnection } from './sse-connection.ts'
import type { SseSession } from './sse-session.ts'

export interface RegisteredSession {
  workspaceId: string
  /** The credential that opened the stream. */
  credentialId: string
  /** When the credential expires, in milliseconds of Unix time. */
  expiresAt: number
  jobId: string
  connection: SseConnection
  session: SseSession
}

export interface SseRegistry {
  /** Sends keep-alives until the session is removed. */
  add(entry: RegisteredSession): void
  remove(entry: RegisteredSession): void
  isClosed(): boolean
  /** Ends all sessions. */
  close(): void
}

interface Deps {
  jobs: Pick<JobSnapshots, 'findEnded'>
  access: Pick<AccessService, 'findEndedCredentials'>
  pingSeconds: number
  log: Logger
}

/**
 * All open sessions of the process, with one timer that fires every second. Keep-alives are spread over the interval, so
 * that a thousand of them do not delay tokens.
 */
export function createSseRegistry({ jobs, access, pingSeconds, log }: Deps): SseRegistry {
  /** Each session with the second of the interval at which it gets its keep-alive. */
  const sessions = new Map<RegisteredSession, number>()
  let ended: RegisteredSession[] = []
  let second = 0
  let checking = false
  let closed = false

  function tick(): void {
    const now = Date.now()
    second = (second + 1) % pingSeconds
    for (const [{ connection }, due] of sessions) connection.tick(now, due === second ? PING : undefined)
    for (const entry of ended.splice(0)) if (sessions.has(entry)) endSession(entry)
    if (second === 0 && !checking) void check()
  }
  const timer = setInterval(tick, 1_000)

  /** Called one second after the run was found ended, because the terminal event may be late. */
  function endSession({ session, jobId }: RegisteredSession): void {
    session
      .sendSnapshot()
      .catch((err: unknown) => log.warn({ err, job_id: jobId }, 'ending a stream failed, will be retried'))
  }

  /** Once per interval, with two queries per workspace. */
  async function check(): Promise<void> {
    checking = true
    for (const [workspaceId, entries] of Map.groupBy(sessions.keys(), ({ workspaceId }) => workspaceId)) {
      try {
        await endForCredentials(workspaceId, entries)
        await findEndedRuns(workspaceId, entries)
      } catch (err) {
        log.warn({ err }, 'checking open streams failed')
      }
    }
    checking = false
  }

  /** Disconnects sessions whose credential was revoked or has expired. A client that connects again gets 401. */
  async function endForCredentials(workspaceId: string, entries: RegisteredSession[]): Promise<void> {
    const ended = await access.findEndedCredentials(workspaceId, [
      ...new Set(entries.map(({ credentialId }) => credentialId)),
    ])
    const now = Date.now()
    for (const { credentialId, expiresAt, connection } of entries)
      if (ended.has(credentialId) || expiresAt <= now) connection.end()
  }

  /** Finds idle sessions whose run has ended: Redis may have lost the terminal event. */
  async function findEndedRuns(workspaceId: string, entries: RegisteredSession[]): Promise<void> {
    const idle = entries.filter(({ session }) => session.takeIdle())
    if (idle.length === 0) return
    const found = await jobs.findEnded(workspaceId, [...new Set(idle.map(({ jobId }) => jobId))])
    ended = ended.concat(idle.filter(({ jobId }) => found.has(jobId)))
  }

  return {
    add: entry => void sessions.set(entry, second),
    remove: entry => void sessions.delete(entry),
    isClosed: () => closed,
    close() {
      closed = true
      clearInterval(timer)
      for (const { connection } of sessions.keys()) {
        connection.send(CLOSING)
        connection.end()
      }
    },
  }
}
