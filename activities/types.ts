import type { DocumentRef, TextFacts } from '../domain/documents.ts'
import type { InterventionChange, JobRef, JobStatus, NodeMilestone, Usage } from '../domain/jobs.ts'
import type { JsonObject, JsonValue } from '../domain/json.ts'
import type { FinishInput, OpenChildInput, RecordInput } from '../domain/run-records.ts'

export type { FinishInput, OpenChildInput, RecordInput } from '../domain/run-records.ts'

/** What a workflow hands to the activity that runs one node. `with` is resolved: no expressions are left in it. */
export interface StepInput {
  job: JobRef
  node: { key: string; id: string; type: string; title?: string }
  with: JsonObject
  /** What pure nodes did since anything was last recorded; published before this node's own news. */
  trail: NodeMilestone[]
  /** Other news of the run since then, such as the answer that made this node's turn come. */
  news?: { status?: JobStatus; seq?: number; current_step?: string; interventions: InterventionChange[] }
  /** True while undoing: the node's milestone says `compensated` when done. */
  compensating?: boolean
}

export interface StepResult {
  output: JsonValue
  usage?: Usage
}

/** Activity types are named after node types: the Temporal timeline prints them. */
export interface PathwayActivities {
  http(input: StepInput): Promise<StepResult>
  neuron(input: StepInput): Promise<StepResult>
  search(input: StepInput): Promise<StepResult>
}

/** What the ingest of a document has done. */
export interface IngestActivities {
  /** Reads the text out of a document and stores it. Fails with a code where that document cannot be read. */
  extract(input: { job: JobRef; document: DocumentRef }): Promise<TextFacts>
}

/** Short writes that run inside the workflow task as local activities. */
export interface PathwayProjections {
  record(input: RecordInput): Promise<void>
  finish(input: FinishInput): Promise<void>
  openChild(input: OpenChildInput): Promise<void>
}

/** All that a worker can do. */
export type Activities = PathwayActivities & IngestActivities & PathwayProjections
