import type { DocumentRef, TextFacts } from '../domain/documents/documents.ts'
import type { Label } from '../domain/pathways/labels/labels.ts'
import type { JobRef, JobStatus } from '../domain/runs/jobs.ts'
import type { Usage } from '../domain/access/usage.ts'
import type { NodeError, NodeMilestone } from '../domain/runs/nodes.ts'
import type { InterventionChange } from '../domain/people/intervention.ts'
import type { JsonObject, JsonValue } from '../domain/shared/json/json.ts'
import type { PinnedNeuron, TraceTurn } from '../domain/agents/run-spec.ts'
import type { EffectNode } from '../domain/pathways/definition.ts'
import type {
  FinishInput,
  MigrationRecord,
  OpenChildInput,
  OpenedChild,
  RecordInput,
  RunEnding,
} from '../domain/runs/run-records.ts'
import type { NeuronRunInput } from '../workflows/agents/messages.ts'
import type { BulkRunInput } from '../workflows/runs/bulk-messages.ts'
import type { PurgeRunInput } from '../workflows/audit/purge-messages.ts'
import type { MailboxRead, ShownMessage } from '../domain/channels/channel.ts'
import type { ChannelMessageInput, MailboxInput } from '../workflows/channels/messages.ts'
import type { WebhookDeliveryInput } from '../workflows/webhooks/delivery-messages.ts'
import type { BulkCounts } from '../domain/runs/bulk/bulk.ts'
import type { RemovalCounts } from '../domain/audit/purge.ts'
import type { ExpiryBatch, RetentionCursor } from '../domain/audit/retention.ts'
import type { ChildRun, ChildStartOptions } from '../workflows/shared/run/child-runs.ts'
import type { DiscoverResult } from '../domain/tools/tool-spec.ts'
import type { AudioRef } from '../domain/speech/audio.ts'
import type { Transcript } from '../domain/speech/transcript.ts'

export type {
  FinishInput,
  MigrationRecord,
  OpenChildInput,
  OpenedChild,
  RecordInput,
  RunEnding,
} from '../domain/runs/run-records.ts'

/** The input of a node's activity. `with` contains values instead of expressions. */
export interface StepInput {
  job: JobRef
  node: { key: string; id: string; type: string; title?: string }
  with: JsonObject
  /** Sources of untrusted content in the output. */
  labels?: Label[]
  /** Milestones since the last publication. They are published before this node's milestones. */
  preceding_milestones: NodeMilestone[]
  /** Number of attempts made before this activity's own attempts. */
  earlier_attempts?: number
  /** Other changes since the last publication, such as the answer that made this node ready. */
  run_update?: { status?: JobStatus; seq?: number; current_step?: string; interventions: InterventionChange[] }
  /** The run's progress when the step starts. Absent in steps from older versions. */
  progress?: { done: number; total: number }
}

export interface StepResult {
  output: JsonValue
  /** Sources of untrusted content in the output. Set if only the step knows these sources. */
  labels?: Label[]
  usage?: Usage
}

/** Activity types are named after node types, because the Temporal timeline displays the names. */
export type PathwayActivities = Record<EffectNode['type'], (input: StepInput) => Promise<StepResult>>

export interface DiscoverActivities {
  /** Lists the tools from a reflex's source and saves them as the reflex's next version. */
  discover(input: { job: JobRef; reflex_id: string; requester: string }): Promise<DiscoverResult>
}

/** Identifies a tool call. The call's arguments are in the thread. */
export interface CallRef {
  id: string
  index: number
  name: string
}

interface InTrace {
  job: JobRef
  trace: TraceTurn
}

/** Activities for a neuron run. `with` is a ModelStep for `model` and a CallStep for `call`. */
export interface NeuronActivities {
  /** Calls the model. The output is a ModelDecision. */
  model(input: StepInput): Promise<StepResult>
  call(input: StepInput): Promise<StepResult>
}

export type ModelStep = { step: number; final: boolean; trace: TraceTurn; requester: string }
/** If present, `args` replaces the model's arguments. */
export type CallStep = { step: number; call: CallRef; args?: JsonValue; trace: TraceTurn; requester: string }

/** The input of a neuron run that another run starts. */
export interface OpenNeuronInput {
  job: JobRef
  parent_key: string
  neuron: PinnedNeuron
  requester: string
  message: string
  /** Ids of the message's files. */
  files?: string[]
  variables?: JsonObject
  /** The boundary that marks untrusted values in the message. */
  boundary?: string
}

/** Local activities for a neuron run. */
export interface NeuronProjections {
  /** Writes a call's result to the thread. Idempotent. */
  reply(
    input: InTrace & { step: number; call: CallRef; output: JsonValue; is_error: boolean; labels?: Label[] },
  ): Promise<void>
  /** Writes the row and pins for a call's child run, which gets this job id. */
  openCall(
    input: InTrace & {
      job_id: string
      requester: string
      key: string
      step: number
      call: CallRef
      args?: JsonValue
      /** Sources of the untrusted content that the model has read. */
      labels?: Label[]
    },
  ): Promise<ChildRun>
  /** Writes the row and pins for a `neuron` node's child run. */
  openNeuron(input: OpenNeuronInput): Promise<NeuronRunInput & ChildStartOptions>
  /** Returns the latest open run before this run in the thread. */
  findPreviousOpenRun(input: InTrace): Promise<string | null>
  /** Returns the first open run after this run in the thread. */
  findNextOpenRun(input: InTrace): Promise<string | null>
}

export interface IngestActivities {
  /** Extracts a document's text and stores it. Fails with a code if the document cannot be read. */
  extract(input: { job: JobRef; document: DocumentRef }): Promise<TextFacts>
}

/** Activities for a transcription. Pieces are numbered from 0. */
export interface TranscribeActivities {
  splitAudio(input: { job: JobRef; audio: AudioRef }): Promise<{ pieces: number; duration: number }>
  transcribePiece(input: { job: JobRef; ordinal: number; language?: string }): Promise<void>
  joinTranscript(input: { job: JobRef }): Promise<Transcript>
  deleteAudio(input: { job: JobRef }): Promise<void>
}

/** Identifies a piece of a meeting's audio by its position and content. */
interface MeetingAudioInput {
  job: JobRef
  meeting_id: string
  seq: number
  sha256: string
}

export interface MeetingResult {
  meeting_id: string
  /** Absent if the transcript is empty. */
  artifact_id?: string
  segments: number
  /** Number of pieces that could not be transcribed. */
  failed: number
}

/** Activities for a meeting. The first two are local. */
export interface MeetingActivities {
  /** Returns the pieces that are not yet transcribed. If `close` is set, the meeting rejects further pieces. */
  listPendingAudio(input: {
    job: JobRef
    meeting_id: string
    close: boolean
  }): Promise<{ seq: number; sha256: string }[]>
  recordAudioFailure(input: MeetingAudioInput & { error: NodeError }): Promise<void>
  transcribeMeetingPiece(input: MeetingAudioInput): Promise<void>
  concludeMeeting(input: { job: JobRef; meeting_id: string; by: string }): Promise<MeetingResult>
}

export interface PurgeActivities {
  /**
   * Removes the next batch. `removed` contains the total counts for all previous batches. Fails with PURGE_WAITS
   * while runs are open.
   */
  purgeBatch(input: PurgeRunInput & { removed: RemovalCounts }): Promise<{ removed: RemovalCounts; done: boolean }>
}

/** A run's position in a bulk job. */
export interface BulkCursor {
  created_at: string
  job_id: string
}

export interface BulkActivities {
  /**
   * Lists a bulk job's next runs after the given run. Returns the last listed run, or undefined if there are no more.
   */
  pinBulkRuns(input: BulkRunInput & { after?: BulkCursor }): Promise<BulkCursor | undefined>
  /**
   * Applies the operation to the next runs for a few seconds or until cancelled. `counts` covers the whole job.
   * `is_last` is true if no runs are left.
   */
  applyBulkBatch(input: BulkRunInput): Promise<{ counts: BulkCounts; is_last: boolean }>
}

export interface RetentionActivities {
  /** Lists the ids of the next workspaces, in order. */
  listWorkspaces(input: { job: { job_id: string; workspace_id: '' }; after: string }): Promise<string[]>
  /** Removes one batch of a workspace's expired data. */
  removeExpired(input: { job: { job_id: string; workspace_id: string }; cursor: RetentionCursor }): Promise<ExpiryBatch>
}

export interface WebhookActivities {
  /**
   * Attempts a due delivery and returns the delay before the next attempt, or undefined if the delivery has ended. If
   * called again before that time, does nothing.
   */
  attemptDelivery(input: WebhookDeliveryInput): Promise<{ retry_in_ms?: number }>
}

export interface ChannelActivities {
  /** Sends a message, or updates it. */
  showMessage(input: ChannelMessageInput): Promise<ShownMessage>
  /** Reads new messages of a mailbox. `is_last`: the workflow ends after this read. */
  readMailbox(input: MailboxInput & { is_last: boolean }): Promise<MailboxRead>
}

/** The result of firing a scheduled time. */
export interface FiredTime {
  decision: string
  reason: string | null
  job_id: string | null
  /**
   * True if the time was already fired and its run has ended, so that no signal will follow. Absent in older
   * versions.
   */
  has_ended?: boolean
}

/** Activities for a scheduled time's workflow. Each activity can be repeated. */
export interface TriggerActivities {
  fireScheduled(input: {
    job: { job_id: string; workspace_id: string }
    trigger_id: string
    /** ISO 8601. */
    scheduled_at: string
  }): Promise<FiredTime>
  isRunOpen(input: { job: { job_id: string; workspace_id: string }; run_id: string }): Promise<boolean>
  cancelFiredRun(input: {
    job: { job_id: string; workspace_id: string }
    trigger_id: string
    run_id: string
  }): Promise<void>
}

export interface MigrationActivities {
  /** Records a run's migration in its row, the audit log and the stream. Repeating the call has no effect. */
  recordMigration(input: MigrationRecord): Promise<void>
}

/** Local activities for all runs. */
export interface PathwayProjections {
  record(input: RecordInput): Promise<void>
  finish(input: FinishInput): Promise<void>
  /** Undefined in the history of a run that started with an older version. */
  openChild(input: OpenChildInput): Promise<OpenedChild | undefined>
  /** Returns the ending that is stored in the job's row, or null while the job is open. */
  findEnding(input: { job: JobRef }): Promise<RunEnding | null>
  /** Adds people to the list of people behind a run. */
  addPeople(input: { job: JobRef; people: string[] }): Promise<void>
}

/** All of a worker's activities. */
export type Activities = PathwayActivities &
  NeuronActivities &
  DiscoverActivities &
  IngestActivities &
  TranscribeActivities &
  MeetingActivities &
  PurgeActivities &
  BulkActivities &
  RetentionActivities &
  WebhookActivities &
  ChannelActivities &
  TriggerActivities &
  MigrationActivities &
  PathwayProjections &
  NeuronProjections
