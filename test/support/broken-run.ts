import { randomUUID } from 'node:crypto'
import { insertJob } from '../../data/jobs-store.ts'
import type { Temporal } from '../../services/temporal.ts'
import { buildRunAttributes } from '../../workflows/attributes.ts'
import { PATHWAY_WORKFLOW } from '../../workflows/pathway/messages.ts'
import type { TestDatabase } from './database.ts'
import type { TestWorkspace } from './stack.ts'

/** A run of a definition that the engine cannot compile, started past the checks of the API. */
export async function startBrokenRun(
  { database, temporal }: { database: Pick<TestDatabase, 'db'>; temporal: Temporal },
  { id: workspace_id, slug: workspace }: TestWorkspace,
  options: { workflowExecutionTimeout?: '2s' } = {},
): Promise<string> {
  const job_id = `broken-${randomUUID()}`
  const job = { job_id, root_job_id: job_id, workspace_id }
  const pinned = { id: null, slug: 'broken', version: null, title: 'Broken' }
  const definition = { schema: 'pathway/1', nodes: [{ id: 'a', type: 'unheard-of' }], edges: [] }
  const row = { job_id, root_job_id: job_id, brain_id: null, parent_key: null, title: 'Broken', requester: 'user:ann' }
  await database.db.inWorkspace(workspace_id, tx =>
    insertJob(tx, { ...row, pathway_id: null, pathway_version: null, input: null }),
  )
  await temporal.client.workflow.start(PATHWAY_WORKFLOW, {
    taskQueue: temporal.taskQueue,
    workflowId: job_id,
    args: [{ job, pathway: pinned, definition, subflows: {}, input: null, requester: 'user:ann' }],
    typedSearchAttributes: buildRunAttributes({ workspace, kind: 'pathway', title: 'Broken', requester: 'user:ann' }),
    ...options,
  })
  return job_id
}
