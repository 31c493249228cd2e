import type { JobEvent } from '../../../domain/runs/events.ts'
import type { JobPublisher } from '../../../streams/job-publisher.ts'

export interface Publication {
  jobId: string
  event: JobEvent
}

/** Records the events that an activity publishes, for tests that do not use Redis. */
export function recordingPublisher(): Pick<JobPublisher, 'publish'> & {
  published: Publication[]
  tokens(): string[]
  events(): JobEvent[]
} {
  const published: Publication[] = []
  const events = () => published.map(({ event }) => event)
  return {
    published,
    events,
    tokens: () => events().flatMap(event => (event.type === 'token' ? [event.token] : [])),
    publish: (jobId, event) => void published.push({ jobId, event }),
  }
}
