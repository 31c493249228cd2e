import { type NodeStatus, type NodeError } from './nodes.ts'
import { type VisitorTask, type InterventionChange } from '../people/intervention.ts'
import { type JsonValue } from '../shared/json/json.ts'
import { type JobStatus } from './jobs.ts'

/** An event of a job's stream, as SSE `data`. The specification defines only `token`, `complete` and `error`. */
export type JobEvent =
  | RunEvent
  | { type: 'status'; status: JobStatus; current_step?: string }
  | { type: 'progress'; done: number; total: number }
  /** Text of a meeting segment, or the error of its transcription. Times are in seconds, absent until known. */
  | {
      type: 'segment'
      seq: number
      text: string
      speaker?: string
      start?: number
      end?: number
      error?: NodeError
    }
  /** The run follows another version of its pathway from here on. `undone`: a migration was reverted. */
  | {
      type: 'migrated'
      from_version: number | null
      to_version: number | null
      by: string
      at: string
      undone?: true
    }
  /** The meeting has ended and its transcript is available. */
  | { type: 'ended'; artifact_id?: string }
  | { type: 'gap'; message: string }
  | { type: 'complete'; result: JsonValue }
  | { type: 'error'; message: string; code: string }

/**
 * An event that is also published to the root job's stream. In that stream, `job_id` is the child run, and `key`
 * starts with the key of the node that started it.
 */
export type RunEvent = { job_id?: string } & (
  | { type: 'token'; token: string; node_id?: string; key?: string }
  | { type: 'attempt_reset'; node_id: string; key: string; attempt: number }
  | {
      type: 'node'
      node_id: string
      key: string
      node_type: string
      status: NodeStatus
      at: string
      port?: string
      error?: NodeError
    }
  | {
      type: 'intervention'
      change: InterventionChange['change']
      interventionId: string
      key?: string
      node_id?: string
      title?: string
      action?: string
      by?: string
      /** Set for an answer: false while the quorum still needs approvals. */
      decided?: boolean
      /** Set when a task opens and when its handling changes: everyone who may answer afterwards. */
      assignees?: string[]
      /** Set for a task that asks a visitor. */
      task?: VisitorTask
      at: string
    }
  /** A notice to the reader, such as `CONTEXT_COMPACTED` for a shortened context. */
  | { type: 'notice'; node_id: string; key: string; code: string; message: string }
)
