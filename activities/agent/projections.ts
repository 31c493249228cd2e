import type { Database } from '../../data/database.ts'
import { findJob } from '../../data/jobs-store.ts'
import { saveMessages } from '../../data/trace-messages-store.ts'
import { openTurnAfter, openTurnBefore } from '../../data/traces-store.ts'
import { isTerminal, type JobRecord, type JobRef, type JobStatus } from '../../domain/jobs.ts'
import type { JsonObject } from '../../domain/json.ts'
import { replyPosition } from '../../domain/neurons/messages.ts'
import type { ChildOpening } from '../../services/neurons/child-runs.ts'
import type { JobPublisher } from '../../streams/job-publisher.ts'
import { toFailure } from '../failure.ts'
import type { NeuronProjections } from '../types.ts'
import { argumentsOf, checkArguments, toolNamed } from './call.ts'
import type { RunSpecs } from './run-specs.ts'

export interface AgentProjectionDeps {
  db: Database
  specs: RunSpecs
  children: ChildOpening
  /** The status of a job as Temporal has it; a row that does not know is repaired. */
  statusOf: (row: JobRecord) => Promise<{ status: JobStatus }>
  publisher: Pick<JobPublisher, 'publish'>
}

/** The short reads and writes of a run of a neuron. */
export function createAgentProjections(deps: AgentProjectionDeps): NeuronProjections {
  const { db, specs, children, statusOf, publisher } = deps
  const pending = ({ job_id }: JobRef) => publisher.publish(job_id, { type: 'status', status: 'pending' })

  return {
    async reply({ job, trace, step, call, output, is_error }) {
      const content = { call_id: call.id, name: call.name, output, ...(is_error && { is_error }) }
      const place = { ...trace, position: replyPosition(step, call.index) }
      await db.inWorkspace(job.workspace_id, tx =>
        saveMessages(tx, [{ ...place, job_id: job.job_id, role: 'tool', content }]),
      )
    },

    openCall: input =>
      failing(async () => {
        const { job, job_id, requester, key, call, args } = input
        const tool = toolNamed(await specs.of(job), call)
        const given =
          args === undefined
            ? await db.inWorkspace(job.workspace_id, tx => argumentsOf(tx, input))
            : (args as JsonObject)
        checkArguments(tool, given)
        const opened = await children.openCall({ job, job_id, requester, parent_key: key, tool, args: given })
        pending(opened.run.job)
        return opened
      }),

    openNeuron: input =>
      failing(async () => {
        const run = await children.openNeuron(input)
        pending(run.job)
        return run
      }),

    async turnBefore({ job, trace }) {
      for (;;) {
        const before = await db.inWorkspace(job.workspace_id, tx => openTurnBefore(tx, trace))
        if (before === undefined) return null
        const row = await db.inWorkspace(job.workspace_id, tx => findJob(tx, before))
        // A row that did not know of its end does once it was looked at.
        if (row && !isTerminal((await statusOf(row)).status)) return before
      }
    },

    turnAfter: async ({ job, trace }) =>
      (await db.inWorkspace(job.workspace_id, tx => openTurnAfter(tx, trace))) ?? null,
  }
}

/** What is wrong with a call for good is said with its code; Temporal does not try it again. */
async function failing<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw toFailure(error)
  }
}
