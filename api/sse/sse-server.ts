import type { Logger } from 'pino'
import { Unavailable } from '../../domain/errors.ts'
import type { Principal } from '../../domain/principal.ts'
import type { JobsService } from '../../services/jobs/types.ts'
import type { AppContext } from '../routing/state.ts'
import { EVENT_STREAM, openSseClient } from './sse-connection.ts'
import { OPEN } from './frames.ts'
import type { JobFeed } from './job-feed.ts'
import { createJobStream } from './sse-session.ts'
import { createOpenStreams } from './sse-registry.ts'
import { shareWhileRunning } from './share-while-running.ts'

export interface JobStreams {
  /**
   * Streams a job until it ends or the client goes; going does not touch the run. Throws before anything is sent, or
   * not at all: NotFound, or Unavailable when neither the streams nor the record can serve the job.
   */
  serve(ctx: AppContext, principal: Principal, jobId: string, after: string | undefined): Promise<void>
  /** Ends every stream cleanly and takes no new one; clients resume where the service still runs. */
  close(): void
}

interface Deps {
  jobs: Pick<JobsService, 'hasEnded' | 'story' | 'endedAmong'>
  feed: JobFeed
  pingSeconds: number
  log: Logger
}

type Served = { principal: Principal; jobId: string; after?: string; hasEnded: boolean }
type Following = Awaited<ReturnType<JobFeed['follow']>>

export function createJobStreams({ jobs, feed, pingSeconds, log }: Deps): JobStreams {
  const open = createOpenStreams({ jobs, pingSeconds, log })
  const storyOf = shareWhileRunning(
    (principal: Principal, jobId: string) => jobs.story(principal, jobId),
    (principal, jobId) => `${principal.workspace_id} ${jobId}`,
  )

  /** Without the streams a run that has ended is still served, from the record. */
  async function follow({ jobId, after, hasEnded }: Served): Promise<Following | undefined> {
    try {
      return await feed.follow(jobId, after)
    } catch (error) {
      if (hasEnded && error instanceof Unavailable) return undefined
      throw error
    }
  }

  function begin(ctx: AppContext, served: Served, following: Following | undefined): void {
    const { principal, jobId, after, hasEnded } = served
    ctx.respond = false
    ctx.status = 200
    const client = openSseClient(ctx.res, OPEN)
    const stop = () => following?.stop()
    const stream = createJobStream({ client, after, hasEnded, story: () => storyOf(principal, jobId), onEnd: stop })
    const entry = { workspaceId: principal.workspace_id, jobId, client, stream }
    open.add(entry)
    ctx.res.once('close', () => {
      stop()
      open.remove(entry)
    })
    if (following) following.begin(stream.sink)
    else stream.tellRecord().catch(() => ctx.res.destroy())
  }

  return {
    async serve(ctx, principal, jobId, after) {
      if (open.isClosed()) throw new Unavailable('This process is shutting down; connect again')
      const hasEnded = await jobs.hasEnded(principal, jobId)
      if (ctx.method === 'HEAD') {
        ctx.status = 200
        ctx.type = EVENT_STREAM
        return
      }
      const served = { principal, jobId, after, hasEnded }
      const following = await follow(served)
      if (ctx.res.destroyed || open.isClosed()) return following?.stop()
      begin(ctx, served, following)
    },
    close: () => open.close(),
  }
}
