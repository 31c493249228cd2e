import { defaultPayloadConverter } from '@temporalio/common'
import type proto from '@temporalio/proto'
import { fetchEvents, withTemporal } from './describe-run.ts'

/** What the Temporal UI shows of runs. */

type HistoryEvent = proto.temporal.api.history.v1.IHistoryEvent
type Payload = proto.temporal.api.common.v1.IPayload

/** Returns the ids of the runs that the query of the list finds. */
export const listRuns = (query: string): Promise<string[]> =>
  withTemporal(async client => {
    const ids: string[] = []
    for await (const { workflowId } of client.workflow.list({ query })) ids.push(workflowId)
    return ids
  })

/** Returns the Markdown of the current details of a run. */
export const readCurrentDetails = (jobId: string): Promise<string> =>
  withTemporal(async client => {
    const metadata = await client.workflow
      .getHandle(jobId)
      .query<{ currentDetails?: string }>('__temporal_workflow_metadata')
    return metadata.currentDetails ?? ''
  })

/** Returns the Markdown with which a run was started. */
export const readStaticDetails = (jobId: string): Promise<string> =>
  withTemporal(async client => (await (await client.workflow.getHandle(jobId).describe()).staticDetails()) ?? '')

export interface HistoryView {
  /** Ids of the scheduled activities. */
  activityIds: string[]
  /** Texts beside the activities, local ones too. */
  summaries: string[]
  updateIds: string[]
  /** Completed workflow tasks. */
  workflowTasks: number
  /** The first argument of the workflow. */
  input: unknown
}

export async function readHistory(jobId: string): Promise<HistoryView> {
  const events = await fetchEvents(jobId)
  const [startEvent] = events
  return {
    activityIds: events.flatMap(event => event.activityTaskScheduledEventAttributes?.activityId ?? []),
    summaries: events
      .filter(isActivity)
      .flatMap(({ userMetadata }) => (decode(userMetadata?.summary) as string | undefined) ?? []),
    updateIds: events.flatMap(event => event.workflowExecutionUpdateAcceptedEventAttributes?.protocolInstanceId ?? []),
    workflowTasks: events.filter(event => event.workflowTaskCompletedEventAttributes).length,
    input: decode(startEvent?.workflowExecutionStartedEventAttributes?.input?.payloads?.[0]),
  }
}

const isActivity = (event: HistoryEvent): boolean =>
  Boolean(event.activityTaskScheduledEventAttributes ?? event.markerRecordedEventAttributes)

const decode = (payload: Payload | null | undefined): unknown =>
  payload ? defaultPayloadConverter.fromPayload(payload) : undefined
