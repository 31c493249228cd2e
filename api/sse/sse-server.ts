import type { Logger } from 'pino'
import { Unavailable } from '../../domain/shared/errors.ts'
import type { JobEventSource, JobSubscription } from '../../domain/runs/job-event-source.ts'
import type { Principal } from '../../domain/access/principal.ts'
import type { JobSnapshots } from '../../services/runs/snapshot.ts'
import type { AppContext } from '../routing/state.ts'
import { createEndedRuns, type JobStream } from './ended-runs.ts'
import { admitStream, openStream } from './open-stream.ts'
import { shareWhileRunning } from './share-while-running.ts'
import { createSseRegistry, type StreamAccess } from './sse-registry.ts'
import { createSseSession, isReached, type PresentEvent, buildEndId } from './sse-session.ts'
import type { AdmitStream } from './stream-limit.ts'

export interface SseServer {
  /**
   * Streams a job until the job ends or the client disconnects. Disconnecting doesn't affect the run. Throws only
   * before anything is sent: NotFound, RateLimited if the credential has too many open streams, or Unavailable if
   * neither Redis nor Postgres can serve the job. A client that reconnects with `Last-Event-ID` after the terminal
   * event gets 204, which stops an `EventSource` from reconnecting.
   */
  serve(
    ctx: AppContext,
    principal: Principal,
    jobId: string,
    after: string | undefined,
    present?: PresentEvent,
  ): Promise<void>
  /** Ends all streams and rejects new ones. Clients resume on another process. */
  close(): void
}

interface Deps {
  jobs: JobSnapshots
  access: StreamAccess
  events: JobEventSource
  admit: AdmitStream
  pingSeconds: number
  log: Logger
}

interface StreamRequest {
  principal: Principal
  jobId: string
  after?: string
  hasEnded: boolean
  present?: PresentEvent
}

export function createSseServer({ jobs, access, events, admit, pingSeconds, log }: Deps): SseServer {
  const registry = createSseRegistry<JobStream>({
    checks: createEndedRuns({ jobs, log }),
    access,
    pingSeconds,
    log,
  })
  const readSnapshot = shareWhileRunning(
    (principal: Principal, jobId: string) => jobs.snapshot(principal, jobId),
    (principal, jobId) => `${principal.workspace_id} ${jobId}`,
  )

  /**
   * Subscribes to the events of a job. Returns undefined if Redis is unavailable and the run has ended. Postgres then
   * serves the run.
   */
  async function subscribe({ jobId, after, hasEnded }: StreamRequest): Promise<JobSubscription | undefined> {
    try {
      return await events.subscribe(jobId, after)
    } catch (error) {
      if (hasEnded && error instanceof Unavailable) return undefined
      throw error
    }
  }

  /** Returns whether the run has ended and the client already has its terminal event. */
  async function hasAll(request: StreamRequest, subscription: JobSubscription | undefined): Promise<boolean> {
    const { principal, jobId, after } = request
    if (after === undefined) return false
    if (subscription && subscription.end !== 'unknown') return subscription.end === 'reached'
    const { terminal, finished_at } = await readSnapshot(principal, jobId)
    const endsAt = terminal && buildEndId(finished_at)
    return endsAt !== undefined && isReached(after, endsAt)
  }

  function startSession(ctx: AppContext, request: StreamRequest, subscription: JobSubscription | undefined): void {
    const { principal, jobId, after, hasEnded, present } = request
    const close = () => subscription?.close()
    const { session } = openStream(ctx, registry, {
      build(stream) {
        const { connection } = stream
        const read = () => readSnapshot(principal, jobId)
        const session = createSseSession({ connection, after, hasEnded, present, readSnapshot: read, onEnd: close })
        return { ...stream, jobId, session }
      },
      onClose: close,
    })
    if (subscription) subscription.start(session.sink)
    else session.sendSnapshot().catch(() => ctx.res.destroy())
  }

  return {
    async serve(ctx, principal, jobId, after, present) {
      registry.checkOpen()
      const hasEnded = await jobs.hasEnded(principal, jobId)
      if (!(await admitStream(ctx, principal, admit))) return
      const request = { principal, jobId, after, hasEnded, present }
      const subscription = await subscribe(request)
      if (ctx.res.destroyed || registry.isClosed()) {
        subscription?.close()
        return registry.checkOpen()
      }
      if (hasEnded && ctx.get('Last-Event-ID') !== '' && (await hasAll(request, subscription))) {
        subscription?.close()
        ctx.status = 204
        return
      }
      startSession(ctx, request, subscription)
    },
    close: () => registry.close(),
  }
}
