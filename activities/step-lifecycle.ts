import type { Info } from '@temporalio/activity'
import type { Logger } from 'pino'
import type { JsonValue } from '../domain/json.ts'
import type { JobEvent, JobRef, NodeMilestone, NodeStatus } from '../domain/jobs.ts'
import { StepError } from '../domain/step-error.ts'
import type { JobPublisher } from '../streams/job-publisher.ts'
import { publishRunEvent, publishRunEventNow } from '../streams/run-events.ts'
import { toJobEvents, toNodeEvent } from './job-events.ts'
import type { ProjectionWriter } from './projection-writer.ts'
import type { Step, StepOutcome } from './step.ts'
import type { StepInput, StepResult } from './types.ts'
import { withHeartbeat } from './with-heartbeat.ts'

export interface StepLifecycleDeps {
  publisher: Pick<JobPublisher, 'publish' | 'publishNow'>
  writer: ProjectionWriter
  log: Logger
}

/** The heartbeat of an attempt that has published the updates it carried; the next attempt does not repeat them. */
const PUBLISHED = 'published'
/** The longest wait for Redis at the end of a node, so that no event follows the run's last one. */
const MAX_PUBLISH_MS = 250

/**
 * Wraps a step as an activity: publishes and writes the start and end of the node, sends heartbeats, and converts errors
 * to failures with a code. The run publishes a failed attempt, because it knows whether another attempt follows.
 */
export function createStepLifecycle({
  publisher,
  writer,
  log,
}: StepLifecycleDeps): (step: Step) => (input: StepInput) => Promise<StepResult> {
  function publishStart(input: StepInput, info: Info): void {
    const { job } = input
    const isPublished = info.heartbeatDetails === PUBLISHED
    const nodes = [...(isPublished ? [] : input.preceding_milestones), buildMilestone(input, 'running', info)]
    const others = (!isPublished && input.run_update) || { interventions: [] }
    writer.recordStart({ current_step: input.node.key, ...others, job, nodes })
    for (const event of toJobEvents({ ...others, nodes })) publishRunEvent(publisher, job, event)
  }

  /** Adds what is known of an open node to its record. */
  function recordProgress(input: StepInput, info: Info, progress: Pick<NodeMilestone, 'input' | 'error'>): void {
    const milestone = { ...buildMilestone(input, 'running', info), ...progress }
    writer.recordStart({ job: input.job, nodes: [milestone], interventions: [] })
  }

  /** Temporal keeps the failures of regular attempts, and the run records that of the last one. */
  function recordLocalFailure(input: StepInput, info: Info, error: unknown): void {
    if (!info.isLocal || !(error instanceof StepError) || !error.retryable) return
    const { code, message } = error
    recordProgress(input, info, { error: { code, message } })
  }

  async function publishEnd(
    input: StepInput,
    info: Info,
    { output, usage, transcript, model }: StepOutcome,
  ): Promise<void> {
    const { job } = input
    const completed = { ...buildMilestone(input, 'completed', info), output }
    const published = publishEvent(job, toNodeEvent(completed), info)
    await Promise.all([published, writer.recordFinish({ job, milestone: completed, usage, transcript, model })])
  }

  /** Does not wait after a local activity: this process publishes the following events too, in order. */
  async function publishEvent(job: JobRef, event: JobEvent, { isLocal }: Info): Promise<void> {
    if (isLocal) return publishRunEvent(publisher, job, event)
    await publishRunEventNow(publisher, job, event, MAX_PUBLISH_MS).catch((err: unknown) => {
      log.debug({ err, job_id: job.job_id }, 'node event not published yet; queued for retry')
    })
  }

  return step =>
    withHeartbeat({ log, subject: 'step', logFields: ({ node }) => ({ key: node.key }) }, async (input, scope) => {
      scope.setDetails(PUBLISHED)
      publishStart(input, scope.info)
      const showInput = (shown: JsonValue) => recordProgress(input, scope.info, { input: shown })
      const outcome = await step(input, showInput).catch((error: unknown) => {
        recordLocalFailure(input, scope.info, error)
        throw error
      })
      await publishEnd(input, scope.info, outcome)
      return { output: outcome.output, usage: outcome.usage }
    })
}

function buildMilestone(step: StepInput, status: NodeStatus, info: Info): NodeMilestone {
  const { key, id, type, title } = step.node
  const attempt = (step.earlier_attempts ?? 0) + info.attempt
  return { key, node_id: id, node_type: type, title, status, at: new Date().toISOString(), attempt }
}
