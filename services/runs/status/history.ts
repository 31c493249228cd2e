import type { WorkflowService } from '@temporalio/client'
import { decodeOptionalSinglePayload } from '@temporalio/common/lib/internal-non-workflow/index.js'
import { isUnknownRun, type Temporal } from '../../shared/temporal.ts'
import type { HistoryEvent } from './problem.ts'
import { parseNodeKey } from './retries.ts'

export type HistoryPayload = Parameters<typeof decodeOptionalSinglePayload>[1]

/** Maximum number of runs to read in a continue-as-new chain, and of history pages. */
const MAX_RUNS = 50
const MAX_PAGES = 200
const LOCAL_ACTIVITY = 'core_local_activity'

/** The history of one run in a continue-as-new chain. `isFirst`: no earlier run exists. */
export interface HistoryPart {
  events: HistoryEvent[]
  isFirst: boolean
}

/**
 * Reads the histories of a job's runs, latest run first. Ends early at a run that Temporal no longer has. Throws
 * Unavailable.
 */
export async function* readHistories(temporal: Temporal, jobId: string): AsyncGenerator<HistoryPart> {
  let runId: string | undefined
  for (let runs = 0; runs < MAX_RUNS; runs++) {
    const events = await readEvents(temporal, jobId, runId)
    const [started] = events
    if (!started) return
    runId = started.workflowExecutionStartedEventAttributes?.continuedExecutionRunId || undefined
    yield { events, isFirst: runId === undefined }
    if (runId === undefined) return
  }
}

async function readEvents(temporal: Temporal, workflowId: string, runId?: string): Promise<HistoryEvent[]> {
  const events: HistoryEvent[] = []
  let nextPageToken: Uint8Array | undefined
  try {
    for (let page = 0; page < MAX_PAGES; page++) {
      const read = await temporal.call(({ workflowService, options: { namespace } }) =>
        readPage(workflowService, { namespace, execution: { workflowId, runId }, nextPageToken }),
      )
      events.push(...(read.history?.events ?? []))
      nextPageToken = read.nextPageToken ?? undefined
      if (!nextPageToken || nextPageToken.length === 0) break
    }
  } catch (error) {
    if (!isUnknownRun(error)) throw error
  }
  return events
}

const readPage = (service: WorkflowService, request: Parameters<WorkflowService['getWorkflowExecutionHistory']>[0]) =>
  service.getWorkflowExecutionHistory(request)

/** A completed activity. `readKey` returns its node key. */
export interface ActivityResult {
  readKey: () => Promise<string>
  payload: HistoryPayload
}

/**
 * Lists completed activities. For regular activities, the id is the node key. For local activities, the summary starts
 * with the node key.
 */
export function listResults(temporal: Temporal, events: HistoryEvent[]): ActivityResult[] {
  const ids = new Map<string, string>()
  return events.flatMap((event): ActivityResult[] => {
    const { activityTaskScheduledEventAttributes: scheduled, activityTaskCompletedEventAttributes: completed } = event
    if (scheduled) ids.set(String(event.eventId), parseNodeKey(scheduled.activityId ?? ''))
    if (completed) {
      const key = ids.get(String(completed.scheduledEventId)) ?? ''
      return [{ readKey: () => Promise.resolve(key), payload: completed.result?.payloads?.[0] }]
    }
    const { markerName, details } = event.markerRecordedEventAttributes ?? {}
    const payload = details?.result?.payloads?.[0]
    if (markerName !== LOCAL_ACTIVITY || !payload) return []
    return [{ readKey: () => readSummary(temporal, event), payload }]
  })
}

const readSummary = async (temporal: Temporal, { userMetadata }: HistoryEvent): Promise<string> =>
  ((await decodePayload<string>(temporal, userMetadata?.summary)) ?? '').split(', ')[0] ?? ''

export async function decodePayload<T>({ client }: Temporal, payload: HistoryPayload): Promise<T | undefined> {
  return (await decodeOptionalSinglePayload<T>(client.options.loadedDataConverter, payload)) ?? undefined
}
