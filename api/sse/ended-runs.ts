import type { Logger } from 'pino'
import type { JobSnapshots } from '../../services/runs/snapshot.ts'
import type { OpenStream, StreamChecks } from './sse-registry.ts'
import type { SseSession } from './sse-session.ts'

export interface JobStream extends OpenStream {
  jobId: string
  session: SseSession
}

interface Deps {
  jobs: Pick<JobSnapshots, 'findEnded'>
  log: Logger
}

/** Ends idle streams of runs that have ended, because Redis may have lost the terminal event. */
export function createEndedRuns({ jobs, log }: Deps): StreamChecks<JobStream> {
  let endedStreams: JobStream[] = []

  /** Called one second after the run was found to have ended, because the terminal event may arrive late. */
  function endSession({ session, jobId }: JobStream): void {
    session.sendSnapshot().catch((err: unknown) => log.warn({ err, job_id: jobId }, 'ending a stream failed, retrying'))
  }

  return {
    tick() {
      for (const stream of endedStreams.splice(0)) if (stream.connection.isOpen()) endSession(stream)
    },
    async check(workspaceId, streams) {
      const idle = streams.filter(({ session }) => session.takeIdle())
      if (idle.length === 0) return
      const endEvents = await jobs.findEnded(workspaceId, [...new Set(idle.map(({ jobId }) => jobId))])
      endedStreams = endedStreams.concat(idle.filter(({ jobId }) => endEvents.has(jobId)))
    },
  }
}
