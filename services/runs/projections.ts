import type { Database, Tx } from '../../data/shared/database.ts'
import { countEligible, type Eligibility } from '../../data/people/eligible-people-store.ts'
import { saveHistory } from '../../data/people/intervention-changes-store.ts'
import { upsertInterventions } from '../../data/people/interventions-store.ts'
import { saveMessages } from '../../data/agents/trace-messages-store.ts'
import { saveMilestones } from '../../data/runs/job-nodes-store.ts'
import { advanceJobs } from '../../data/runs/job-progress-store.ts'
import { toJobFields } from '../../data/runs/jobs-store.ts'
import { endJob, lockEndedJob } from '../../data/runs/job-endings-store.ts'
import { addUsage } from '../../data/access/usage-store.ts'
import { type JobRef } from '../../domain/runs/jobs.ts'
import type { Usage } from '../../domain/access/usage.ts'
import type { NodeMilestone } from '../../domain/runs/nodes.ts'
import { parseAnswer } from '../../domain/agents/answers.ts'
import { answerPosition } from '../../domain/agents/messages.ts'
import type { FinishInput, OpenChildInput, RecordInput } from '../../domain/runs/run-records.ts'
import { recordVotes } from '../people/evidence/record-votes.ts'
import type { Signer } from '../people/evidence/signer.ts'
import { mergeInterventionChanges } from '../people/intervention-changes.ts'
import { startChild } from './start/start-child.ts'

/** The end of one attempt to run a node. */
export interface NodeCompletion {
  job: JobRef
  milestone: NodeMilestone
  /** The text that the node streamed. */
  transcript?: string
  usage?: Usage
  /** The model to which the usage applies. */
  model?: string
}

/**
 * Writes run projections, each in one short transaction. Writes are idempotent, can occur in any order, and do not
 * change ended jobs or jobs without a row. Throws Unavailable while Postgres is unavailable. The caller must then
 * retry.
 */
export interface Projections {
  /** Returns the newly opened interventions that have fewer eligible people than their quorum requires. */
  applyRecord(input: RecordInput): Promise<Eligibility[]>
  /** Writes a job's end and its remaining updates. If the job has already ended, returns false and changes nothing. */
  applyFinish(input: FinishInput): Promise<boolean>
  applyOpenChild(input: OpenChildInput): Promise<void>
  /** Writes an activity's start milestone and its updates. */
  applyNodeStart(input: RecordInput): Promise<void>
  /**
   * Writes node starts for several jobs in one workspace in a single transaction, without interventions. Returns the
   * ids of the jobs that were written. Skips jobs that another transaction is writing.
   */
  applyNodeStarts(inputs: RecordInput[]): Promise<Set<string>>
  /** Writes an activity's end. Usage is counted once per node key and attempt. */
  applyNodeCompletion(input: NodeCompletion): Promise<void>
}

export function createProjections({ db, signer }: { db: Database; signer: Signer }): Projections {
  /** Signing requires the rows that the updates write. */
  async function writeUpdates(tx: Tx, input: RecordInput): Promise<void> {
    const { statements, votes } = startUpdates(tx, input)
    await Promise.all(statements)
    await recordVotes(tx, signer, input.job.job_id, votes)
  }

  return {
    applyRecord: input =>
      db.inWorkspace(input.job.workspace_id, async tx => {
        await writeUpdates(tx, input)
        return findUnreachableQuorums(tx, input)
      }),

    async applyNodeStart(input) {
      const { workspace_id } = input.job
      if (input.interventions.some(({ change }) => change === 'answered'))
        await db.inWorkspace(workspace_id, tx => writeUpdates(tx, input))
      else await db.inWorkspaceAtOnce(workspace_id, tx => Promise.all(startUpdates(tx, input).statements))
    },

    async applyNodeStarts(inputs) {
      const [first] = inputs
      if (!first) return new Set()
      return db.inWorkspaceAtOnce(first.job.workspace_id, tx => advanceJobs(tx, inputs, 'skip'))
    },

    async applyFinish(input) {
      return db.inWorkspace(input.job.workspace_id, async tx => {
        if (await lockEndedJob(tx, input.job.job_id)) return false
        await Promise.all([writeUpdates(tx, input), writeEnd(tx, input), writeAnswer(tx, input)])
        return true
      })
    },

    async applyOpenChild({ job, parent_key, pathway, requester, input }) {
      const { id: pathway_id, version: pathway_version, title } = pathway
      const ids = { ...toJobFields(job), parent_key, pathway_id }
      await db.inWorkspace(job.workspace_id, tx =>
        startChild(tx, job, requester, { ...ids, pathway_version, title, requester, input }),
      )
    },

    async applyNodeCompletion({ job, milestone, transcript, usage, model }) {
      const { key, attempt = 1 } = milestone
      const transcripts = transcript === undefined ? {} : { [key]: transcript }
      await db.inWorkspaceAtOnce(job.workspace_id, tx =>
        Promise.all([
          usage && addUsage(tx, job.job_id, { key, attempt, usage, model }),
          saveMilestones(tx, job.job_id, [milestone], { transcripts, ofEnded: true }),
        ]),
      )
    },
  }
}

/**
 * Sends the statements together, in this order. The job's row comes first, so that concurrent writers of a job wait
 * for each other.
 */
function startUpdates(tx: Tx, input: RecordInput) {
  const { job_id } = input.job
  const { patches, votes, history } = mergeInterventionChanges(input.interventions)
  const statements: Promise<unknown>[] = [
    advanceJobs(tx, [input], 'wait'),
    upsertInterventions(tx, job_id, patches),
    saveHistory(tx, job_id, history),
  ]
  return { statements, votes }
}

async function findUnreachableQuorums(tx: Tx, { interventions }: RecordInput): Promise<Eligibility[]> {
  const openedIds = interventions.flatMap(change => (change.change === 'opened' ? [change.intervention.id] : []))
  const counted = openedIds.length > 0 ? await countEligible(tx, openedIds) : []
  return counted.filter(({ eligible, quorum }) => eligible < quorum)
}

/** Writes a pathway's result to the thread as its answer. A neuron run writes its own answer. */
async function writeAnswer(tx: Tx, { job, trace, outcome, result, labels }: FinishInput): Promise<void> {
  if (!trace) return
  // Visitors can see the thread. The job contains the cause.
  const problem = outcome === 'cancelled' ? 'The run was cancelled' : 'The run failed'
  const answer = outcome === 'completed' ? parseAnswer(result ?? null) : { output: problem }
  const { output: text, data } = { data: undefined, ...answer }
  const content = { text, ...(data !== undefined && { data }), ...(labels && { labels }) }
  await saveMessages(tx, [{ ...trace, position: answerPosition(1), job_id: job.job_id, role: 'assistant', content }])
}

async function writeEnd(tx: Tx, input: FinishInput): Promise<void> {
  const { outcome, result, error, receipt, at } = input
  const cancelled = outcome === 'cancelled'
  await endJob(tx, input.job.job_id, {
    status: outcome === 'completed' ? 'completed' : 'failed',
    result: outcome === 'completed' ? result : undefined,
    failed_reason: outcome === 'completed' ? null : (error?.message ?? (cancelled ? 'cancelled' : 'failed')),
    failed_code: outcome === 'completed' ? null : (error?.code ?? (cancelled ? 'CANCELLED' : 'FAILED')),
    receipt,
    failed_node_key: error?.node_key,
    finished_at: at,
    cancelled,
  })
}
