import type { DataConverter } from '@temporalio/common'
import { DefaultLogger, Runtime, Worker } from '@temporalio/worker'
import { loadWorkflowBundle } from '../../../workflows/bundle.ts'
import { fetchEvents } from './describe-run.ts'

/** A replay does not export spans. */
const sinks = { tracing: { exportRun: { fn: () => undefined } } }

/**
 * Replays runs from their histories. Returns, by run, how the workflow code differs.
 * @param dataConverter reads payloads that are stored outside histories
 */
export async function replayRuns(jobIds: string[], dataConverter?: DataConverter): Promise<string[]> {
  Runtime.install({ logger: new DefaultLogger('ERROR') })
  const workflowBundle = await loadWorkflowBundle({ WORKFLOW_BUNDLE: 'build/workflow-bundle.js' })
  const problems: string[] = []
  for await (const { workflowId, error } of Worker.runReplayHistories(
    { workflowBundle, sinks, dataConverter },
    fetchHistories(jobIds),
  ))
    if (error) problems.push(`${workflowId}: ${error.message}`)
  return problems
}

async function* fetchHistories(jobIds: string[]) {
  for (const workflowId of jobIds) yield { workflowId, history: { events: await fetchEvents(workflowId) } }
}
