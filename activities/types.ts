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

/** The input of the activity of one node. `with` holds values, no expressions. */
export interface StepInput {
  job: JobRef
  node: { key: string; id: string; type: string; title?: string }
  with: JsonObject
  /** Sources of untrusted content in the output. */
  labels?: Label[]
  /** Milestones since the last publication, to publish before those of this node. */
  preceding_milestones: NodeMilestone[]
  /** Attempts before those of this activity. */
  earlier_attempts?: number
  /** Other changes since the last publication, such as the answer that made this node ready. */
  run_update?: { status?: JobStatus; seq?: number; current_step?: string; interventions: InterventionChange[] }
  /** How far the run is when the step starts. Absent in steps of former versions. */
  progress?: { done: number; total: number }
}

export interface StepResult {
  output: JsonValue
  /** Sources of untrusted content in the output, where only the step knows them. */
  labels?: Label[]
  usage?: Usage
}

/** Activity types are named after node types: the Temporal timeline shows them. */
export type PathwayActivities = Record<EffectNode['type'], (input: StepInput) => Promise<StepResult>>

export interface DiscoverActivities {
  /** Lists the tools of a reflex's source and saves them as its next version. */
  discover(input: { job: JobRef; reflex_id: string; requester: string }): Promise<DiscoverResult>
}

/** Identifies a tool call. Its arguments are in the thread. */
export interface CallRef {
  id: string
  index: number
  name: string
}

interface InTrace {
  job: JobRef
  trace: TraceTurn
}

/** Activities of a run of a neuron. `with` of `model` is a ModelStep, `with` of `call` a CallStep. */
export interface NeuronActivities {
  /** Calls the model. The output is a ModelDecision. */
  model(input: StepInput): Promise<StepResult>
  call(input: StepInput): Promise<StepResult>
}

export type ModelStep = { step: number; final: boolean; trace: TraceTurn; requester: string }
/** `args` replace the arguments of the model. */
export type CallStep = { step: number; call: CallRef; args?: JsonValue; trace: TraceTurn; requester: string }

/** The input of a run of a neuron that another run starts. */
export interface OpenNeuronInput {
  job: JobRef
  parent_key: string
  neuron: PinnedNeuron
  requester: string
  message: string
  variables?: JsonObject
  /** Of the marks of untrusted values in the message. */
  boundary?: string
}

/** Local activities of a run of a neuron. */
export interface NeuronProjections {
  /** Writes the result of a call to the thread. Idempotent. */
  reply(
    input: InTrace & { step: number; call: CallRef; output: JsonValue; is_error: boolean; labels?: Label[] },
  ): Promise<void>
  /** Writes the row and the pins of the child run of a call, under this job id. */
  openCall(
    input: InTrace & {
      job_id: string
      requester: string
      key: string
      step: number
      call: CallRef
      args?: JsonValue
      /** Sources of the untrusted content that the model had read. */
      labels?: Label[]
    },
  ): Promise<ChildRun>
  /** Writes the row and the pins of the child run of a `neuron` node. */
  openNeuron(input: OpenNeuronInput): Promise<NeuronRunInput & ChildStartOptions>
  /** Returns the latest open run before this one in the thread. */
  findPreviousOpenRun(input: InTrace): Promise<string | null>
  /** Returns the first open run after this one in the thread. */
  findNextOpenRun(input: InTrace): Promise<string | null>
}

export interface IngestActivities {
  /** Extracts the text of a document and stores it. Fails with a code when the document cannot be read. */
  extract(input: { job: JobRef; document: DocumentRef }): Promise<TextFacts>
}

/** Activities of a transcription. Pieces count from 0. */
export interface TranscribeActivities {
  splitAudio(input: { job: JobRef; audio: AudioRef }): Promise<{ pieces: number; duration: number }>
  transcribePiece(input: { job: JobRef; ordinal: number; language?: string }): Promise<void>
  joinTranscript(input: { job: JobRef }): Promise<Transcript>
  deleteAudio(input: { job: JobRef }): Promise<void>
}

/** Identifies a piece of a meeting's audio by its place and its content. */
interface MeetingAudioInput {
  job: JobRef
  meeting_id: string
  seq: number
  sha256: string
}

export interface MeetingResult {
  meeting_id: string
  /** Missing when the transcript is empty. */
  artifact_id?: string
  segments: number
  /** Pieces that could not be transcribed. */
  failed: number
}

/** Activities of a meeting. The first two are local. */
export interface MeetingActivities {
  /** Returns pieces that are not transcribed yet. `close` makes the meeting refuse further pieces. */
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
  /** Removes the next batch. `removed` counts all batches so far. Fails with PURGE_WAITS while runs are open. */
  purgeBatch(input: PurgeRunInput & { removed: RemovalCounts }): Promise<{ removed: RemovalCounts; done: boolean }>
}

/** The place of a run in the order of a bulk job. */
export interface BulkCursor {
  created_at: string
  job_id: string
}

export interface BulkActivities {
  /** Lists the next runs of a bulk job, after the given one. Returns the last; absent when there are no more. */
  pinBulkRuns(input: BulkRunInput & { after?: BulkCursor }): Promise<BulkCursor | undefined>
  /**
   * Applies the operation to the next runs, for some seconds, or until it is cancelled. `counts` are those of the whole
   * job; `is_last`: no run is left.
   */
  applyBulkBatch(input: BulkRunInput): Promise<{ counts: BulkCounts; is_last: boolean }>
}

export interface RetentionActivities {
  /** Lists the ids of the next workspaces, in order. */
  listWorkspaces(input: { job: { job_id: string; workspace_id: '' }; after: string }): Promise<string[]>
  /** Removes one batch of what has expired in a workspace. */
  removeExpired(input: { job: { job_id: string; workspace_id: string }; cursor: RetentionCursor }): Promise<ExpiryBatch>
}

export interface WebhookActivities {
  /**
   * Attempts a delivery that is due, and returns the delay before the next attempt; absent when the delivery has ended.
   * A repeated call attempts nothing before that.
   */
  attemptDelivery(input: WebhookDeliveryInput): Promise<{ retry_in_ms?: number }>
}

/** What became of a time of a schedule. */
export interface FiredTime {
  decision: string
  reason: string | null
  job_id: string | null
  /** True for a time that was fired before, and whose run has ended: no signal comes of it. Former versions did not say it. */
  has_ended?: boolean
}

/** What the workflow of a scheduled time does; each may be repeated. */
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
  /** Writes the move of a run to its row, the audit log and the stream. A repeat changes nothing. */
  recordMigration(input: MigrationRecord): Promise<void>
}

/** Local activities of all runs. */
export interface PathwayProjections {
  record(input: RecordInput): Promise<void>
  finish(input: FinishInput): Promise<void>
  /** Runs of former versions have no result. */
  openChild(input: OpenChildInput): Promise<OpenedChild | undefined>
  /** Returns the ending that the job's row holds; null while the job is open. */
  findEnding(input: { job: JobRef }): Promise<RunEnding | null>
  /** Adds people to those behind a run. */
  addPeople(input: { job: JobRef; people: string[] }): Promise<void>
}

/** All activities of a worker. */
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
  TriggerActivities &
  MigrationActivities &
  PathwayProjections &
  NeuronProjections
