import { isDeepStrictEqual } from 'node:util'
import { formatProblems } from '../../domain/shared/json/json.ts'
import { ApplicationFailure } from '@temporalio/common'
import type { Logger } from 'pino'
import type { Database } from '../../data/shared/database.ts'
import { addPeople } from '../../data/runs/jobs-store.ts'
import { type EndedJob, findEnded } from '../../data/runs/job-endings-store.ts'
import type { JobRef } from '../../domain/runs/jobs.ts'
import type { JobEvent } from '../../domain/runs/events.ts'
import type { Evaluator } from '../../services/pathways/evaluation/evaluator.ts'
import { createTerminalEvent } from '../../services/runs/snapshot.ts'
import type { Projections } from '../../services/runs/projections.ts'
import type { JobPublisher } from '../../streams/job-publisher.ts'
import { publishRunEvent } from '../../streams/run-events.ts'
import { createJobEvents, createQuorumNotice } from './job-events.ts'
import { mergeUpdates, type ProjectionWriter } from './projection-writer.ts'
import type { FinishInput, OpenChildInput, OpenedChild, PathwayProjections, RecordInput, RunEnding } from '../types.ts'

export interface RecordDeps {
  db: Database
  projections: Pick<Projections, 'applyRecord' | 'applyFinish' | 'applyOpenChild'>
  /** Writes the updates of activities in the background. */
  writer: Pick<ProjectionWriter, 'take' | 'recordStart'>
  publisher: Pick<JobPublisher, 'publish' | 'publishNow'>
  evaluator: Evaluator
  /** Called with the outcome when a run ends. */
  countEnd?: (outcome: string) => void
  log: Logger
}

/**
 * Maximum time to wait for Redis, because a run must be able to end even if Redis is unavailable. Readers then get
 * the end from Postgres.
 */
const MAX_PUBLISH_MS = 1_000
const CANCELLED = { code: 'CANCELLED', message: 'cancelled by an operator' }

/**
 * Creates the local activities that write projections: first to Postgres, then to the stream, without waiting for the
 * stream. The activities throw Unavailable while Postgres is unavailable, so that Temporal retries them.
 */
export function createRecordActivities({
  db,
  projections,
  writer,
  publisher,
  evaluator,
  countEnd,
  log,
}: RecordDeps): PathwayProjections {
  const publish = (job: JobRef, events: JobEvent[]) => {
    for (const event of events) publishRunEvent(publisher, job, event)
  }

  async function findEndedJob({ job_id, workspace_id }: JobRef): Promise<EndedJob | undefined> {
    const [endedJob] = await db.inWorkspaceAtOnce(workspace_id, tx => findEnded(tx, [job_id]))
    return endedJob
  }

  /**
   * Writes a run's end together with the last updates of its nodes, so that readers never get the end without them.
   * Returns false if the end was already written.
   */
  async function writeEnd(input: FinishInput): Promise<boolean> {
    const unwritten = writer.take(input.job.job_id)
    if (!unwritten) return projections.applyFinish(input)
    let isFirstEnd = false
    try {
      isFirstEnd = await projections.applyFinish({ ...input, ...mergeUpdates(unwritten, input) })
    } finally {
      if (!isFirstEnd) writer.recordStart(unwritten)
    }
    return isFirstEnd
  }

  /**
   * Builds the terminal event. Only the job's row contains the cancellation reason and an end that was already
   * written.
   */
  function buildTerminalEvent({ outcome, result, error }: FinishInput, endedJob: EndedJob | undefined): JobEvent {
    if (endedJob) return createTerminalEvent(endedJob)
    if (outcome === 'completed') return { type: 'complete', result: result ?? null }
    return { type: 'error', message: error?.message ?? 'failed', code: error?.code ?? 'FAILED' }
  }

  async function prepareChild({
    job,
    schema,
    run_title,
    input: rawInput,
    requester,
  }: OpenChildInput): Promise<OpenedChild> {
    if (!schema && run_title === undefined) return {}
    const run = { id: job.job_id, requester }
    const definition = { input: schema, run_title }
    const start = await evaluator.evaluate(job.workspace_id, 'prepareRun', definition, rawInput, run, '')
    const { input, title, problems } = start
    if (problems.length === 0) return { title, ...(!isDeepStrictEqual(input, rawInput) && { input }) }
    throw ApplicationFailure.nonRetryable(
      `The input must match the pathway's input schema: ${formatProblems(problems).slice(0, 1_000)}`,
      'INVALID_INPUT',
    )
  }

  return {
    async record(input) {
      const unreachable = await projections.applyRecord(input)
      publish(input.job, createJobEvents(omitPublished(input)))
      publish(input.job, unreachable.map(createQuorumNotice))
    },

    async finish(requested) {
      const input = requested.outcome === 'cancelled' ? { ...requested, error: CANCELLED } : requested
      const { job, outcome } = input
      const status = outcome === 'completed' ? 'completed' : 'failed'
      const isFirstEnd = await writeEnd(input)
      if (isFirstEnd) countEnd?.(outcome)
      const endedJob = isFirstEnd && outcome !== 'cancelled' ? undefined : await findEndedJob(job)
      const terminal = buildTerminalEvent(input, endedJob)
      // A worker may be killed after the write and before publishing. The stream drops events after its end.
      if (isFirstEnd || endedJob?.status === status) publish(job, createJobEvents({ ...omitPublished(input), status }))
      await publisher.publishNow(job.job_id, terminal, MAX_PUBLISH_MS).catch((err: unknown) => {
        log.warn({ err, job_id: job.job_id }, 'terminal event not published yet; queued for retry')
      })
    },

    async findEnding({ job }) {
      const endedJob = await findEndedJob(job)
      return endedJob ? buildRunEnding(endedJob) : null
    },

    addPeople: ({ job, people }) => db.inWorkspace(job.workspace_id, tx => addPeople(tx, job.job_id, people)),

    async openChild(input) {
      const child = await prepareChild(input)
      const { title = input.pathway.title } = child
      await projections.applyOpenChild({ ...input, ...child, pathway: { ...input.pathway, title } })
      publish(input.job, [{ type: 'status', status: 'pending' }])
      return child
    },
  }
}

function buildRunEnding({ status, result, failed_reason, failed_code, receipt }: EndedJob): RunEnding {
  if (status === 'completed') return { outcome: 'completed', result }
  const error = { code: failed_code ?? 'FAILED', message: failed_reason ?? 'failed' }
  return { outcome: error.code === CANCELLED.code ? 'cancelled' : 'failed', error, receipt: receipt ?? [] }
}

/** Returns the record without the updates that activities have already published to the stream. */
function omitPublished({ published, ...input }: RecordInput): RecordInput {
  if (!published) return input
  const { nodes, interventions, status } = published
  return {
    ...input,
    status: status ? undefined : input.status,
    nodes: input.nodes.slice(nodes),
    interventions: input.interventions.slice(interventions),
  }
}
