import type { DocumentRef, TextFacts } from '../domain/documents.ts'
import type { InterventionChange, JobRef, JobStatus, NodeError, NodeMilestone, Usage } from '../domain/jobs.ts'
import type { JsonObject, JsonValue } from '../domain/json.ts'
import type { PinnedNeuron, TraceTurn } from '../domain/neurons/run-spec.ts'
import type { EffectNode } from '../domain/pathway/engine/commands.ts'
import type { FinishInput, OpenChildInput, RecordInput, RunEnding } from '../domain/run-records.ts'
import type { NeuronRunInput } from '../workflows/neuron/messages.ts'
import type { ChildRun } from '../workflows/child-runs.ts'
import type { DiscoverResult } from '../domain/tools/tool-spec.ts'
import type { AudioRef } from '../domain/speech/audio.ts'
import type { Transcript } from '../domain/speech/transcript.ts'

export type { FinishInput, OpenChildInput, RecordInput, RunEnding } from '../domain/run-records.ts'

/** What a workflow hands to the activity that runs one node. `with` is resolved: no expressions are left in it. */
export interface StepInput {
  job: JobRef
  node: { key: string; id: string; type: string; title?: string }
  with: JsonObject
  /** Milestones since the last publication; published before those of this node. */
  preceding_milestones: NodeMilestone[]
  /** Other changes of the run since then, such as the answer that made this node ready. */
  run_update?: { status?: JobStatus; seq?: number; current_step?: string; interventions: InterventionChange[] }
  /** True while undoing: the node's milestone says `compensated` when done. */
  compensating?: boolean
}

export interface StepResult {
  output: JsonValue
  usage?: Usage
}

/** Activity types are named after node types: the Temporal timeline prints them. */
export type PathwayActivities = Record<EffectNode['type'], (input: StepInput) => Promise<StepResult>>

/** What the listing of a reflex's tools has done. */
export interface DiscoverActivities {
  /** Asks the source of a reflex for its tools and saves them as its next version. */
  discover(input: { job: JobRef; reflex_id: string; requester: string }): Promise<DiscoverResult>
}

/** A call as a run addresses it: what it says is in the thread. */
export interface CallRef {
  id: string
  index: number
  name: string
}

interface InTrace {
  job: JobRef
  trace: TraceTurn
}

/** What a run of a neuron has done. `with` of `model` and `call` is a ModelStep and a CallStep. */
export interface NeuronActivities {
  /** Its output is a Thought. */
  model(input: StepInput): Promise<StepResult>
  call(input: StepInput): Promise<StepResult>
}

export type ModelStep = { step: number; final: boolean; trace: TraceTurn; requester: string }
/** `args` stand in for those the model gave. */
export type CallStep = { step: number; call: CallRef; args?: JsonValue; trace: TraceTurn; requester: string }

/** A run of a neuron that another run starts. */
export interface OpenNeuronInput {
  job: JobRef
  parent_key: string
  neuron: PinnedNeuron
  requester: string
  message: string
  variables?: JsonObject
}

/** Short reads and writes of a run of a neuron, inside the workflow task. */
export interface NeuronProjections {
  /** Tells the model what came of a call. Doing it twice changes nothing. */
  reply(input: InTrace & { step: number; call: CallRef; output: JsonValue; is_error: boolean }): Promise<void>
  /** Prepares the run that a call of a pathway or another neuron is, under this job id: its row, its pins. */
  openCall(
    input: InTrace & { job_id: string; requester: string; key: string; step: number; call: CallRef; args?: JsonValue },
  ): Promise<ChildRun>
  /** The same for a node of a pathway that names a neuron. */
  openNeuron(input: OpenNeuronInput): Promise<NeuronRunInput>
  /** The run that has to end before this one may begin. */
  turnBefore(input: InTrace): Promise<string | null>
  /** The run that waits for this one. */
  turnAfter(input: InTrace): Promise<string | null>
}

/** What the ingest of a document has done. */
export interface IngestActivities {
  /** Reads the text out of a document and stores it. Fails with a code where that document cannot be read. */
  extract(input: { job: JobRef; document: DocumentRef }): Promise<TextFacts>
}

/** What a job does that writes speech down. Numbers of pieces count from 0. */
export interface TranscribeActivities {
  splitAudio(input: { job: JobRef; audio: AudioRef }): Promise<{ pieces: number; duration: number }>
  transcribePiece(input: { job: JobRef; ordinal: number }): Promise<void>
  joinTranscript(input: { job: JobRef }): Promise<Transcript>
  dropAudio(input: { job: JobRef }): Promise<void>
}

/** A piece of a meeting: bytes at a place. */
interface MeetingAudioInput {
  job: JobRef
  meeting_id: string
  seq: number
  sha256: string
}

export interface MeetingResult {
  meeting_id: string
  /** None where nothing was said. */
  artifact_id?: string
  segments: number
  /** Pieces that could not be written down. */
  failed: number
}

/** What listening to a meeting does; the first two are short writes. */
export interface MeetingActivities {
  /** Pieces that are still to be heard. `close`: from now on none is taken. */
  pendingAudio(input: { job: JobRef; meeting_id: string; close: boolean }): Promise<{ seq: number; sha256: string }[]>
  failAudio(input: MeetingAudioInput & { error: NodeError }): Promise<void>
  hearAudio(input: MeetingAudioInput): Promise<void>
  concludeMeeting(input: { job: JobRef; meeting_id: string; by: string }): Promise<MeetingResult>
}

/** Short writes that run inside the workflow task as local activities. */
export interface PathwayProjections {
  record(input: RecordInput): Promise<void>
  finish(input: FinishInput): Promise<void>
  openChild(input: OpenChildInput): Promise<void>
  /** How the job has ended, where its end is written. */
  findEnding(input: { job: JobRef }): Promise<RunEnding | null>
}

/** All that a worker can do. */
export type Activities = PathwayActivities &
  NeuronActivities &
  DiscoverActivities &
  IngestActivities &
  TranscribeActivities &
  MeetingActivities &
  PathwayProjections &
  NeuronProjections
