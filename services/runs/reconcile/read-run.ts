import { type WorkflowExecutionDescription, WorkflowNotFoundError } from '@temporalio/client'
import proto from '@temporalio/proto'
import { Unavailable } from '../../../domain/shared/errors.ts'
import type { JsonObject } from '../../../domain/shared/json/json.ts'
import type { AnswerReply } from '../../../domain/people/intervention.ts'
import { inputUpdate } from '../../../workflows/shared/run/messages.ts'
import type { Temporal } from '../../shared/temporal.ts'
import { decodePayload, type HistoryPayload, listResults, readHistories } from '../status/history.ts'
import type { HistoryEvent } from '../status/problem.ts'
import { parseNodeKey } from '../status/retries.ts'

const { PendingActivityState } = proto.temporal.api.enums.v1

/** The part of a step's input that identifies the call. */
interface CallInput {
  node: { id: string }
  with: JsonObject
}

/** An activity without an outcome in Temporal. */
export interface PendingCall {
  /** The node key. */
  key: string
  /** The activity type. */
  type: string
  /** Whether an attempt was started. */
  isStarted: boolean
  /** Whether Temporal starts another attempt if the current attempt is lost. */
  isRetried: boolean
  input: CallInput | undefined
}

/** Temporal's record of one run. */
export interface RunRecord {
  description: WorkflowExecutionDescription
  pending: PendingCall[]
  /** Keys of the nodes whose activity completed. */
  completed: Set<string>
  /** The answers that the run counted. */
  answers: Pick<AnswerReply, 'interventionId' | 'by' | 'action'>[]
  /** Whether Temporal has the run's history from the start. */
  isComplete: boolean
  /** Whether all payloads that were read could be decoded. */
  isReadable: boolean
}

/** Returns undefined if Temporal does not have the run. Throws Unavailable. */
export async function describeRun(
  temporal: Temporal,
  workflowId: string,
): Promise<WorkflowExecutionDescription | undefined> {
  try {
    return await temporal.call(() => temporal.handle(workflowId).describe())
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return undefined
    throw error
  }
}

/** Reads the history of a run. Works without workers. Throws Unavailable. */
export async function readRun(temporal: Temporal, description: WorkflowExecutionDescription): Promise<RunRecord> {
  const record: RunRecord = {
    description,
    pending: [],
    completed: new Set(),
    answers: [],
    isComplete: false,
    isReadable: true,
  }
  /** A payload may be lost, if it is stored in Postgres, or encrypted with a missing key. */
  const ifReadable = <T>(value: Promise<T>): Promise<T | undefined> =>
    value.catch((error: unknown) => {
      if (error instanceof Unavailable) throw error
      record.isReadable = false
      return undefined
    })
  const inputs = new Map<string, HistoryPayload>()
  for await (const { events, isFirst } of readHistories(temporal, description.workflowId)) {
    record.isComplete = isFirst
    for (const { readKey } of listResults(temporal, events)) {
      const key = await ifReadable(readKey())
      if (key !== undefined) record.completed.add(key)
    }
    for (const payload of listAnswers(events)) {
      const reply = await ifReadable(decodePayload<AnswerReply>(temporal, payload))
      if (reply) record.answers.push(reply)
    }
    for (const { activityTaskScheduledEventAttributes: scheduled } of events)
      if (scheduled?.activityId && !inputs.has(scheduled.activityId))
        inputs.set(scheduled.activityId, scheduled.input?.payloads?.[0])
  }
  for (const activity of description.raw.pendingActivities ?? []) {
    const { activityId = '', activityType, state, attempt, maximumAttempts } = activity
    record.pending.push({
      key: parseNodeKey(activityId ?? ''),
      type: activityType?.name ?? '',
      isStarted: (attempt ?? 1) > 1 || state !== PendingActivityState.PENDING_ACTIVITY_STATE_SCHEDULED,
      isRetried: !maximumAttempts || (attempt ?? 1) < maximumAttempts,
      input: await ifReadable(decodePayload<CallInput>(temporal, inputs.get(activityId ?? ''))),
    })
  }
  return record
}

/** Lists the replies to the answers that the run accepted. */
function listAnswers(events: HistoryEvent[]): HistoryPayload[] {
  const accepted = new Set<string>()
  return events.flatMap((event): HistoryPayload[] => {
    const {
      workflowExecutionUpdateAcceptedEventAttributes: acceptance,
      workflowExecutionUpdateCompletedEventAttributes: completion,
    } = event
    if (acceptance?.acceptedRequest?.input?.name === inputUpdate.name) accepted.add(String(event.eventId))
    if (!completion || !accepted.has(String(completion.acceptedEventId))) return []
    return [completion.outcome?.success?.payloads?.[0]]
  })
}
