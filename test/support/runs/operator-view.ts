import { defaultPayloadConverter } from '@temporalio/common'
import type proto from '@temporalio/proto'
import { fetchEvents, withTemporal } from './describe-run.ts'

/** The runs as they appear in the Temporal UI. */

type HistoryEvent = proto.temporal.api.history.v1.IHistoryEvent
type Payload = proto.temporal.api.common.v1.IPayload

/** Returns the ids of the runs that match the list query. */
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

/** Returns the Markdown details with which a run started. */
export const readStaticDetails = (jobId: string): Promise<string> =>
  withTemporal(async client => (await (await client.workflow.getHandle(jobId).describe()).staticDetails()) ?? '')

export interface HistoryView {
  /** The ids of the scheduled activities. */
  activityIds: string[]
  /** The summaries of the activities, including local ones. */
  summaries: string[]
  updateIds: string[]
  /** The number of completed workflow tasks. */
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
