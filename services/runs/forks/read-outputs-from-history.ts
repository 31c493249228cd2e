import type { WorkflowService } from '@temporalio/client'
import { decodeOptionalSinglePayload } from '@temporalio/common/lib/internal-non-workflow/index.js'
import type { JsonValue } from '../../../domain/shared/json/json.ts'
import { isUnknownRun, type Temporal } from '../../shared/temporal.ts'
import type { HistoryEvent } from '../status/problem.ts'
import { parseNodeKey } from '../status/retries.ts'

type Payload = Parameters<typeof decodeOptionalSinglePayload>[1]

/** Maximum number of runs to read in a continue-as-new chain, and of history pages. */
const MAX_RUNS = 50
const MAX_PAGES = 200
const LOCAL_ACTIVITY = 'core_local_activity'

/**
 * Returns activity outputs by node key from the Temporal history. A node row has no output if the worker was killed
 * before it wrote the row. Unknown runs and keys are omitted. Throws Unavailable.
 */
export async function readOutputsFromHistory(
  temporal: Temporal,
  jobId: string,
  keys: ReadonlySet<string>,
): Promise<Record<string, JsonValue>> {
  const outputs: Record<string, JsonValue> = {}
  let runId: string | undefined
  for (let runs = 0; runs < MAX_RUNS && Object.keys(outputs).length < keys.size; runs++) {
    const events = await readEvents(temporal, jobId, runId)
    for (const [key, payload] of listResults(events)) {
      const name = await key(temporal)
      if (!keys.has(name) || Object.hasOwn(outputs, name)) continue
      const result = await decode<{ output: JsonValue }>(temporal, payload)
      if (result) outputs[name] = result.output
    }
    runId = events[0]?.workflowExecutionStartedEventAttributes?.continuedExecutionRunId || undefined
    if (runId === undefined) break
  }
  return outputs
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

type Result = [key: (temporal: Temporal) => Promise<string>, payload: Payload]

/**
 * Lists activity results. For regular activities, the id is the node key. For local activities, the summary starts
 * with the node key.
 */
function listResults(events: HistoryEvent[]): Result[] {
  const ids = new Map<string, string>()
  return events.flatMap((event): Result[] => {
    const { activityTaskScheduledEventAttributes: scheduled, activityTaskCompletedEventAttributes: completed } = event
    if (scheduled) ids.set(String(event.eventId), parseNodeKey(scheduled.activityId ?? ''))
    if (completed) {
      const key = ids.get(String(completed.scheduledEventId)) ?? ''
      return [[() => Promise.resolve(key), completed.result?.payloads?.[0]]]
    }
    const { markerName, details } = event.markerRecordedEventAttributes ?? {}
    const payload = details?.result?.payloads?.[0]
    if (markerName !== LOCAL_ACTIVITY || !payload) return []
    return [[temporal => readSummary(temporal, event), payload]]
  })
}

const readSummary = async (temporal: Temporal, { userMetadata }: HistoryEvent): Promise<string> =>
  ((await decode<string>(temporal, userMetadata?.summary)) ?? '').split(', ')[0] ?? ''

async function decode<T>({ client }: Temporal, payload: Payload): Promise<T | undefined> {
  return (await decodeOptionalSinglePayload<T>(client.options.loadedDataConverter, payload)) ?? undefined
}
