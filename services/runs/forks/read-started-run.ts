import { decodeOptionalSinglePayload } from '@temporalio/common/lib/internal-non-workflow/index.js'
import { isUnknownRun, type Temporal } from '../../shared/temporal.ts'

/**
 * Returns the input with which a run was started, or undefined if Temporal no longer has the run. Throws Unavailable.
 */
export async function readStartedRun<Input>(temporal: Temporal, workflowId: string): Promise<Input | undefined> {
  try {
    const { history } = await temporal.call(({ workflowService, options: { namespace } }) =>
      workflowService.getWorkflowExecutionHistory({ namespace, execution: { workflowId }, maximumPageSize: 1 }),
    )
    const [startEvent] = history?.events ?? []
    const payload = startEvent?.workflowExecutionStartedEventAttributes?.input?.payloads?.[0]
    const { loadedDataConverter } = temporal.client.options
    return (await decodeOptionalSinglePayload<Input>(loadedDataConverter, payload)) ?? undefined
  } catch (error) {
    if (isUnknownRun(error)) return undefined
    throw error
  }
}
