import type { Info } from '@temporalio/activity'
import type { Logger } from 'pino'
import type { JobEvent, NodeMilestone, NodeStatus } from '../domain/jobs.ts'
import type { JobPublisher } from '../streams/job-publisher.ts'
import { toJobEvents, toNodeEvent } from './job-events.ts'
import type { ProjectionWriter } from './projection-writer.ts'
import type { Step, StepOutcome } from './step.ts'
import type { StepInput, StepResult } from './types.ts'
import { withHeartbeat } from './with-heartbeat.ts'

export interface ProgressDeps {
  publisher: Pick<JobPublisher, 'publish' | 'publishNow'>
  writer: ProjectionWriter
  log: Logger
}

/** The heartbeat of an attempt that has published the updates it carried; the next attempt does not repeat them. */
const PUBLISHED = 'published'
/** How long the end of a node waits for Redis to have its events, so that none comes after the run's last one. */
const PUBLISH_MS = 250

/**
 * Makes an activity of a step: it tells the job's stream and Postgres when the node begins and when it is done, keeps
 * the heartbeat, and turns errors into failures with a code. How an attempt failed is told by the run itself, which
 * alone knows whether another one follows and hears of lost workers too.
 */
export function createProgress({
  publisher,
  writer,
  log,
}: ProgressDeps): (step: Step) => (input: StepInput) => Promise<StepResult> {
  function publishStart(input: StepInput, { attempt, isLocal, heartbeatDetails }: Info): void {
    const { job } = input
    const isPublished = isLocal ? attempt > 1 : heartbeatDetails === PUBLISHED
    const nodes = [...(isPublished ? [] : input.preceding_milestones), milestone(input, 'running', attempt)]
    const others = (!isPublished && input.run_update) || { interventions: [] }
    writer.recordStart({ current_step: input.node.key, ...others, job, nodes })
    for (const event of toJobEvents({ ...others, nodes })) publisher.publish(job.job_id, event)
  }

  async function publishEnd(
    input: StepInput,
    info: Info,
    { output, usage, transcript, model }: StepOutcome,
  ): Promise<void> {
    const { job, compensating } = input
    const done = { ...milestone(input, compensating ? 'compensated' : 'completed', info.attempt), output }
    const published = publishEvent(job.job_id, toNodeEvent(done), info)
    await Promise.all([published, writer.recordFinish({ job, milestone: done, usage, transcript, model })])
  }

  /** What follows a local activity comes from this process too, which tells things in order: nothing to wait for. */
  async function publishEvent(jobId: string, event: JobEvent, { isLocal }: Info): Promise<void> {
    if (isLocal) return publisher.publish(jobId, event)
    await publisher.publishNow(jobId, event, PUBLISH_MS).catch((err: unknown) => {
      log.debug({ err, job_id: jobId }, 'node event not published yet; queued for retry')
    })
  }

  return step =>
    withHeartbeat({ log, subject: 'step', logFields: ({ node }) => ({ key: node.key }) }, async (input, scope) => {
      scope.setDetails(PUBLISHED)
      publishStart(input, scope.info)
      const outcome = await step(input)
      await publishEnd(input, scope.info, outcome)
      return { output: outcome.output, usage: outcome.usage }
    })
}

function milestone({ node }: StepInput, status: NodeStatus, attempt: number): NodeMilestone {
  const { key, id, type, title } = node
  return { key, node_id: id, node_type: type, title, status, at: new Date().toISOString(), attempt }
}
