import type { Info } from '@temporalio/activity'
import type { Logger } from 'pino'
import type { JsonValue } from '../../domain/shared/json/json.ts'
import type { JobRef } from '../../domain/runs/jobs.ts'
import type { JobEvent } from '../../domain/runs/events.ts'
import type { NodeMilestone, NodeStatus, SentRequest } from '../../domain/runs/nodes.ts'
import { truncateValue } from '../../domain/people/shown-value.ts'
import { StepError } from '../../domain/runs/step-error.ts'
import { toStorableValue } from '../../domain/shared/json/storable.ts'
import type { JobPublisher } from '../../streams/job-publisher.ts'
import { publishRunEvent, publishRunEventNow } from '../../streams/run-events.ts'
import { createJobEvents, createNodeEvent } from './job-events.ts'
import { type SentLog, withSentLog } from '../../services/tools/outbound/sent-requests.ts'
import type { ProjectionWriter } from './projection-writer.ts'
import type { Step, StepOutcome } from './step.ts'
import type { StepInput, StepResult } from '../types.ts'
import { withHeartbeat } from '../shared/with-heartbeat.ts'

type Progress = Pick<NodeMilestone, 'input' | 'error' | 'failed_attempts' | 'sent'>

export interface StepLifecycleDeps {
  publisher: Pick<JobPublisher, 'publish' | 'publishNow'>
  writer: ProjectionWriter
  log: Logger
}

/** The heartbeat of an attempt that has published its updates. The next attempt does not publish them again. */
const PUBLISHED = 'published'
/** Maximum number of failed attempts stored per node, counted from the first attempt. */
const MAX_FAILED_ATTEMPTS = 100
/** Maximum time to wait for Redis at the end of a node, so that no event follows the run's last event. */
const MAX_PUBLISH_MS = 250

/**
 * Wraps a step as an activity: publishes and writes the node's start and end, sends heartbeats, and converts errors
 * to failures with a code. The run publishes a failed attempt, because only the run knows whether another attempt
 * follows.
 */
export function createStepLifecycle({
  publisher,
  writer,
  log,
}: StepLifecycleDeps): (step: Step) => (input: StepInput) => Promise<StepResult> {
  function publishStart(input: StepInput, info: Info): void {
    const { job } = input
    const isPublished = info.heartbeatDetails === PUBLISHED
    const milestone = { ...buildMilestone(input, 'running', info), ...showStepInput(input) }
    const nodes = [...(isPublished ? [] : input.preceding_milestones), milestone]
    const others = (!isPublished && input.run_update) || { interventions: [] }
    writer.recordStart({ current_step: input.node.key, ...others, progress: input.progress, job, nodes })
    for (const event of createJobEvents({ ...others, nodes })) publishRunEvent(publisher, job, event)
  }

  /** Adds an open node's progress details to its record. */
  function recordProgress(input: StepInput, info: Info, progress: Progress): void {
    const milestone = { ...buildMilestone(input, 'running', info), ...progress }
    writer.recordStart({ job: input.job, nodes: [milestone], interventions: [] })
  }

  /** The run records the last attempt's failure. For regular activities, Temporal reports the failure until then. */
  function recordFailedAttempt(input: StepInput, info: Info, error: unknown): void {
    if (!(error instanceof StepError) || !error.retryable) return
    const { code, message } = error
    const { attempt = 1, at } = buildMilestone(input, 'running', info)
    const failed_attempts = attempt <= MAX_FAILED_ATTEMPTS ? { [attempt]: { at, code, message } } : undefined
    recordProgress(input, info, { ...(info.isLocal && { error: { code, message } }), failed_attempts })
  }

  async function publishEnd(
    input: StepInput,
    info: Info,
    { output, labels = input.labels, usage, transcript, model }: StepOutcome,
    request: SentRequest | undefined,
  ): Promise<void> {
    const { job } = input
    const more = { ...(labels && { labels }), ...(request && { sent: request }) }
    const completed = { ...buildMilestone(input, 'completed', info), output, ...more }
    const published = publishEvent(job, createNodeEvent(completed), info)
    await Promise.all([published, writer.recordFinish({ job, milestone: completed, usage, transcript, model })])
  }

  /** Does not wait after a local activity, because the same process publishes the following events in order. */
  async function publishEvent(job: JobRef, event: JobEvent, { isLocal }: Info): Promise<void> {
    if (isLocal) return publishRunEvent(publisher, job, event)
    await publishRunEventNow(publisher, job, event, MAX_PUBLISH_MS).catch((err: unknown) => {
      log.debug({ err, job_id: job.job_id }, 'node event not published yet; queued for retry')
    })
  }

  return step =>
    withHeartbeat({ log, subject: 'step', logFields: ({ node }) => ({ key: node.key }) }, async (input, scope) => {
      const begun = performance.now()
      scope.setDetails(PUBLISHED)
      publishStart(input, scope.info)
      const showInput = (visibleInput: JsonValue) => recordProgress(input, scope.info, { input: visibleInput })
      const sentLog: SentLog = {}
      const stepOutcome = await withSentLog(sentLog, () => step(input, showInput)).catch((error: unknown) => {
        if (sentLog.last) recordProgress(input, scope.info, { sent: sentLog.last })
        recordFailedAttempt(input, scope.info, error)
        throw error
      })
      // The run has already counted the attempt as timed out, and another attempt may have started.
      if (performance.now() - begun > scope.info.startToCloseTimeoutMs)
        throw new StepError('TIMEOUT', 'The attempt ended after its time limit')
      // Text from servers and models is made storable before it becomes part of a run.
      const outcome = { ...stepOutcome, output: toStorableValue(stepOutcome.output) }
      await publishEnd(input, scope.info, outcome, sentLog.last)
      return { output: outcome.output, usage: outcome.usage }
    })
}

/** The inputs of agent steps are positions in the thread, which are not useful to people. */
const showStepInput = ({ with: settings }: StepInput): Pick<NodeMilestone, 'input'> =>
  'trace' in settings ? {} : { input: truncateValue(settings) }

function buildMilestone(step: StepInput, status: NodeStatus, info: Info): NodeMilestone {
  const { key, id, type, title } = step.node
  const attempt = (step.earlier_attempts ?? 0) + info.attempt
  return { key, node_id: id, node_type: type, title, status, at: new Date().toISOString(), attempt }
}
