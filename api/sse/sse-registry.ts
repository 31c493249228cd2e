import type { Logger } from 'pino'
import type { JobsService } from '../../services/jobs/types.ts'
import type { SseClient } from './sse-connection.ts'
import { CLOSING, PING } from './frames.ts'
import type { JobStream } from './sse-session.ts'

export interface OpenStream {
  workspaceId: string
  jobId: string
  client: SseClient
  stream: JobStream
}

export interface OpenStreams {
  /** Keeps the stream alive until its connection closes. */
  add(stream: OpenStream): void
  remove(stream: OpenStream): void
  isClosed(): boolean
  /** Ends all streams and takes no more. */
  close(): void
}

interface Deps {
  jobs: Pick<JobsService, 'endedAmong'>
  pingSeconds: number
  log: Logger
}

/**
 * All open streams of the process under one timer, which looks once a second. Keep-alives are spread over the interval,
 * so that a thousand of them do not hold up the tokens.
 */
export function createOpenStreams({ jobs, pingSeconds, log }: Deps): OpenStreams {
  /** With the second, within the interval, at which each is sent its keep-alive. */
  const all = new Map<OpenStream, number>()
  let over: OpenStream[] = []
  let second = 0
  let checking = false
  let closed = false

  function tick(): void {
    const now = Date.now()
    second = (second + 1) % pingSeconds
    for (const [{ client }, turn] of all) client.tick(now, turn === second ? PING : undefined)
    for (const stream of over.splice(0)) if (all.has(stream)) conclude(stream)
    if (second === 0 && !checking) void checkIdle()
  }
  const timer = setInterval(tick, 1_000)

  /** One second after it was found to be over: where the terminal event is only late, it has come by now. */
  function conclude({ stream, jobId }: OpenStream): void {
    stream.tellRecord().catch((err: unknown) => log.warn({ err, job_id: jobId }, 'ending a stream failed; retrying'))
  }

  /** A terminal event that Redis lost still arrives: one query per workspace finds the runs that have ended. */
  async function checkIdle(): Promise<void> {
    checking = true
    const idle = [...all.keys()].filter(({ stream }) => stream.wasIdle())
    for (const [workspaceId, streams] of Map.groupBy(idle, ({ workspaceId }) => workspaceId)) {
      const jobIds = [...new Set(streams.map(({ jobId }) => jobId))]
      try {
        const ended = await jobs.endedAmong(workspaceId, jobIds)
        over = over.concat(streams.filter(({ jobId }) => ended.has(jobId)))
      } catch (err) {
        log.warn({ err }, 'checking idle streams failed')
      }
    }
    checking = false
  }

  return {
    add: stream => void all.set(stream, second),
    remove: stream => void all.delete(stream),
    isClosed: () => closed,
    close() {
      closed = true
      clearInterval(timer)
      for (const { client } of all.keys()) {
        client.send(CLOSING)
        client.end()
      }
    },
  }
}
