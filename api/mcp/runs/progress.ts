import type { ServerContext } from '@modelcontextprotocol/server'
import type { JobEventSource } from '../../../domain/runs/job-event-source.ts'
import type { JobEvent } from '../../../domain/runs/events.ts'
import type { Follow } from '../calls/call-tool.ts'

/**
 * Reports a run's progress while `follow` waits, if the client asks for progress. The first message contains the job
 * id, so that a client that loses the call can continue with the job.
 */
export const followWithProgress = (
  { events }: { events: JobEventSource },
  follow: Follow,
  { mcpReq }: Pick<ServerContext, 'mcpReq'>,
): Follow => {
  const progressToken = mcpReq._meta?.progressToken
  if (progressToken === undefined) return follow
  let progress = 0
  const tell = (message: string) =>
    void mcpReq
      .notify({ method: 'notifications/progress', params: { progressToken, progress: ++progress, message } })
      .catch(() => undefined)
  return async (run, call) => {
    tell(`Started run ${run.job_id}`)
    const subscription = await events.subscribe(run.job_id).catch(() => undefined)
    subscription?.start({
      onEvent({ json }) {
        const message = describe(JSON.parse(json) as JobEvent)
        if (message !== undefined) tell(message)
        return true
      },
      whenDrained: () => Promise.resolve(),
      onGap: () => Promise.resolve(),
      onCaughtUp: () => Promise.resolve(),
      onAlreadyEnded: () => undefined,
    })
    try {
      return await follow(run, call)
    } finally {
      subscription?.close()
    }
  }
}

function describe(event: JobEvent): string | undefined {
  switch (event.type) {
    case 'node':
      return `${event.key}: ${event.status}`
    case 'progress':
      return `${event.done} of ${event.total} done`
    case 'intervention':
      return event.change === 'opened' ? `Waiting for people: ${event.title ?? 'a question'}` : undefined
    case 'notice':
      return event.message
    default:
      return undefined
  }
}
