import type { Database } from '../../data/shared/database.ts'
import { saveMilestones } from '../../data/runs/job-nodes-store.ts'
import { findJob, type JobRecord } from '../../data/runs/jobs-store.ts'
import { saveMessages } from '../../data/agents/trace-messages-store.ts'
import { findNextOpenRun, findPreviousOpenRun } from '../../data/agents/traces-store.ts'
import { isTerminal, type JobRef, type JobStatus } from '../../domain/runs/jobs.ts'
import { joinLabels, labelToolOutput, buildLabelField } from '../../domain/pathways/labels/labels.ts'
import type { JsonObject } from '../../domain/shared/json/json.ts'
import { replyPosition } from '../../domain/agents/messages.ts'
import { truncateValue } from '../../domain/people/shown-value.ts'
import type { Evaluator } from '../../services/pathways/evaluation/evaluator.ts'
import type { ChildRunFactory } from '../../services/agents/neurons/child-runs.ts'
import type { JobPublisher } from '../../streams/job-publisher.ts'
import type { NeuronProjections } from '../types.ts'
import { completeArguments, findArguments, getTool } from './call.ts'
import type { RunSpecs } from './run-specs.ts'

export interface AgentProjectionDeps {
  db: Database
  specs: RunSpecs
  children: ChildRunFactory
  /** Returns a job's status in Temporal, and repairs the job's row if its status differs. */
  statusOf: (row: JobRecord) => Promise<{ status: JobStatus }>
  publisher: Pick<JobPublisher, 'publish'>
  evaluator: Evaluator
}

/** Creates the local activities for neuron runs. */
export function createAgentProjections(deps: AgentProjectionDeps): NeuronProjections {
  const { db, specs, children, statusOf, publisher, evaluator } = deps
  const publishPending = ({ job_id }: JobRef) => publisher.publish(job_id, { type: 'status', status: 'pending' })

  return {
    async reply({ job, trace, step, call, output, is_error, labels }) {
      // A call's error may quote the server's response.
      const toolLabels = labelToolOutput(getTool(await specs.get(job), call))
      const error = is_error && { is_error }
      const content = {
        call_id: call.id,
        name: call.name,
        output,
        ...error,
        ...buildLabelField(joinLabels(labels, toolLabels)),
      }
      const place = { ...trace, position: replyPosition(step, call.index) }
      await db.inWorkspaceAtOnce(job.workspace_id, tx =>
        saveMessages(tx, [{ ...place, job_id: job.job_id, role: 'tool', content }]),
      )
    },

    async openCall(input) {
      const { job, job_id, requester, key, call, args, labels } = input
      const tool = getTool(await specs.get(job), call)
      const callArguments =
        args === undefined
          ? await db.inWorkspaceAtOnce(job.workspace_id, tx => findArguments(tx, input))
          : (args as JsonObject)
      const complete = await completeArguments(evaluator, job, tool, callArguments)
      const childRun = await children.createToolRun({
        job,
        job_id,
        requester,
        parent_key: key,
        tool,
        args: complete,
        labels,
      })
      const node = { key, node_id: call.name, node_type: tool.source, input: truncateValue(complete) }
      const milestone = { ...node, status: 'running' as const, at: new Date().toISOString() }
      await db.inWorkspaceAtOnce(job.workspace_id, tx => saveMilestones(tx, job.job_id, [milestone]))
      publishPending(childRun.run.job)
      return childRun
    },

    async openNeuron(input) {
      const run = await children.createNeuronRun(input)
      publishPending(run.job)
      return run
    },

    async findPreviousOpenRun({ job, trace }) {
      for (;;) {
        const previous = await db.inWorkspaceAtOnce(job.workspace_id, tx => findPreviousOpenRun(tx, trace))
        if (previous === undefined) return null
        const row = await db.inWorkspaceAtOnce(job.workspace_id, tx => findJob(tx, previous))
        // `statusOf` repairs the row of an ended run, so the next query does not return it.
        if (row && !isTerminal((await statusOf(row)).status)) return previous
      }
    },

    findNextOpenRun: async ({ job, trace }) =>
      (await db.inWorkspaceAtOnce(job.workspace_id, tx => findNextOpenRun(tx, trace))) ?? null,
  }
}
