import type { Database, Tx } from '../data/database.ts'
import { countEligible, type Eligibility } from '../data/eligible-people-store.ts'
import { upsertInterventions, saveVotes } from '../data/interventions-store.ts'
import { saveMessages } from '../data/trace-messages-store.ts'
import { saveMilestones } from '../data/job-nodes-store.ts'
import { advanceJob, endJob, insertJob, lockEndedJob } from '../data/jobs-store.ts'
import { addUsage } from '../data/usage-store.ts'
import type { JobRef, NodeMilestone, Usage } from '../domain/jobs.ts'
import { answerOf } from '../domain/neurons/answers.ts'
import { answerPosition } from '../domain/neurons/messages.ts'
import type { FinishInput, OpenChildInput, RecordInput } from '../domain/run-records.ts'
import { mergeInterventionChanges } from './intervention-changes.ts'

/** What an activity tells when its node is done, in whatever way. */
export interface NodeCompletion {
  job: JobRef
  milestone: NodeMilestone
  /** The text the node streamed. */
  transcript?: string
  usage?: Usage
  /** Whose usage it is. */
  model?: string
}

/**
 * What runs tell of themselves, written for readers. Each call is one short transaction. Telling the same again changes
 * nothing, older news never undoes newer, a job that has ended stays as it ended, and news of a job without a row is
 * dropped. Throws Unavailable when Postgres is away: then telling it again is right.
 */
export interface Projections {
  /** Resolves with the interventions that it opened and that too few people may answer for their quorum. */
  applyRecord(input: RecordInput): Promise<Eligibility[]>
  /** Writes the end of a job, with what was not told before. False when it had ended already: then nothing changes. */
  applyFinish(input: FinishInput): Promise<boolean>
  applyOpenChild(input: OpenChildInput): Promise<void>
  /** An activity begins: its own milestone, and the news that travelled with it. */
  nodeStarted(input: RecordInput): Promise<void>
  /** An activity is done. Its usage counts once per node key and attempt. */
  nodeFinished(input: NodeCompletion): Promise<void>
}

export function createProjections({ db }: { db: Database }): Projections {
  return {
    applyRecord: input =>
      db.inWorkspace(input.job.workspace_id, async tx => {
        await Promise.all(writeUpdates(tx, input))
        return findUnreachableQuorums(tx, input)
      }),

    async nodeStarted(input) {
      await db.inWorkspace(input.job.workspace_id, tx => Promise.all(writeUpdates(tx, input)))
    },

    async applyFinish(input) {
      return db.inWorkspace(input.job.workspace_id, async tx => {
        if (await lockEndedJob(tx, input.job.job_id)) return false
        await Promise.all([...writeUpdates(tx, input), writeEnd(tx, input), writeAnswer(tx, input)])
        return true
      })
    },

    async applyOpenChild({ job, parent_key, pathway, requester, input }) {
      const { job_id, root_job_id, parent_job_id, brain_id = null, workspace_id } = job
      const { id: pathway_id, version: pathway_version, title } = pathway
      const place = { job_id, root_job_id, parent_job_id, parent_key, brain_id }
      const run = { ...place, pathway_id, pathway_version, title, requester, input }
      await db.inWorkspace(workspace_id, tx => insertJob(tx, run))
    },

    async nodeFinished({ job, milestone, transcript, usage, model }) {
      const { key, attempt = 1 } = milestone
      const transcripts = transcript === undefined ? {} : { [key]: transcript }
      await db.inWorkspace(job.workspace_id, tx =>
        Promise.all([
          usage && addUsage(tx, job.job_id, { key, attempt, usage, model }),
          saveMilestones(tx, job.job_id, [milestone], transcripts),
        ]),
      )
    },
  }
}

/** Sent in one go and run in this order; the job's row comes first, so that two tellers of one job wait for each other. */
function writeUpdates(tx: Tx, { job: { job_id }, ...input }: RecordInput): Promise<void>[] {
  const { patches, votes } = mergeInterventionChanges(input.interventions)
  return [
    advanceJob(tx, job_id, input),
    saveMilestones(tx, job_id, input.nodes),
    upsertInterventions(tx, job_id, patches),
    saveVotes(tx, job_id, votes),
  ]
}

/** Interventions that this input opens and that too few people may answer. */
async function findUnreachableQuorums(tx: Tx, { interventions }: RecordInput): Promise<Eligibility[]> {
  const opened = interventions.flatMap(change => (change.change === 'opened' ? [change.intervention.id] : []))
  const counted = opened.length > 0 ? await countEligible(tx, opened) : []
  return counted.filter(({ eligible, quorum }) => eligible < quorum)
}

/** A pathway's result is what it answers in its thread; a run of a neuron has said so itself. */
async function writeAnswer(tx: Tx, { job, trace, outcome, result, error }: FinishInput): Promise<void> {
  if (!trace) return
  const answer =
    outcome === 'completed' ? answerOf(result ?? null) : { output: `The run ${outcome}: ${error?.message ?? ''}` }
  const { output: text, data } = { data: undefined, ...answer }
  const content = { text, ...(data !== undefined && { data }) }
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
    current_step: error?.node_key,
    finished_at: at,
    cancelled,
  })
}
