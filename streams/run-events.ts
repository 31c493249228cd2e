import { type JobRef, joinKeys } from '../domain/runs/jobs.ts'
import type { JobEvent, RunEvent } from '../domain/runs/events.ts'
import type { NodeAttempt } from './append-event.ts'
import type { JobPublisher } from './job-publisher.ts'

const RUN_EVENTS = new Set<string>([
  'token',
  'attempt_reset',
  'node',
  'intervention',
  'notice',
] satisfies RunEvent['type'][])

const isRunEvent = (event: JobEvent): event is RunEvent => RUN_EVENTS.has(event.type)

/** Publishes a run event to the run's stream. Events from a child run also go to the stream of the root job. */
export function publishRunEvent(
  publisher: Pick<JobPublisher, 'publish'>,
  job: JobRef,
  event: JobEvent,
  attempt?: NodeAttempt,
): void {
  publishToRoot(publisher, job, event, attempt)
  publisher.publish(job.job_id, event, attempt)
}

/** Like `publishRunEvent`, but resolves when the run's stream has the event. Throws Unavailable after `timeoutMs`. */
export function publishRunEventNow(
  publisher: Pick<JobPublisher, 'publish' | 'publishNow'>,
  job: JobRef,
  event: JobEvent,
  timeoutMs: number,
): Promise<string> {
  publishToRoot(publisher, job, event)
  return publisher.publishNow(job.job_id, event, timeoutMs)
}

function publishToRoot(
  publisher: Pick<JobPublisher, 'publish'>,
  { job_id, root_job_id, root_key }: JobRef,
  event: JobEvent,
  attempt?: NodeAttempt,
): void {
  if (root_key === undefined || !isRunEvent(event)) return
  const key = event.key === undefined ? root_key : joinKeys(root_key, event.key)
  // Each retry of a node starts a new child run. Its nodes have the same keys as before, and their attempts start at
  // 1 again.
  const speaker = attempt && { ...attempt, key: `${job_id} ${attempt.key}` }
  publisher.publish(root_job_id, { ...event, key, job_id }, speaker)
}
