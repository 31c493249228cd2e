import type { Label } from './labels/labels.ts'
import type { WorkingCalendar } from '../people/working-time.ts'
import type { InterventionKind, Question } from '../runs/jobs.ts'
import type { JsonObject, JsonSchema, JsonValue } from '../shared/json/json.ts'
import type { ToolEffect } from '../tools/tool-spec.ts'

/** The pathway definition, `pathway/1`. Strings may hold `${CEL}`; durations are ISO 8601 (`PT5M`, `P2D`). */
export interface PathwayDefinition {
  schema: 'pathway/1'
  /** JSON Schema of the run's input. */
  input?: JsonSchema
  /** Title of a run, with expressions over `input` and `run`. The title of the pathway if absent or empty. */
  run_title?: string
  nodes: PathwayNode[]
  edges: Edge[]
}

/** `on` is a port of `from`; `default` if absent. */
export interface Edge {
  from: string
  on?: string
  to: string
}

/** A graph inside a node (`map`, `loop`). */
export interface Body {
  nodes: PathwayNode[]
  edges: Edge[]
}

export interface RetryPolicy {
  max_attempts?: number
  initial?: string
  backoff?: number
  max?: string
}

interface NodeBase {
  id: string
  title?: string
  timeout?: string
  retry?: RetryPolicy
  /** Id of the node that compensates this one when the run is cancelled or fails later. */
  compensate?: string
  /** Sources of untrusted content that the node may use without a decision; true for all. */
  trust?: true | Label[]
}

export interface TransformNode extends NodeBase {
  type: 'transform'
  with: { value: JsonValue }
}
export interface SwitchNode extends NodeBase {
  type: 'switch'
  /** `when` is a bare CEL expression of type bool. The first true case is taken, else `default`. */
  cases: { port: string; when: string }[]
  default?: string
}
export interface HttpNode extends NodeBase {
  type: 'http'
  /** A header is a text, or the name of a secret with a prefix for its value. */
  with: {
    method?: string
    url: string
    /** Is added to the URL, with each value encoded. A list repeats its name, and null is left out. */
    query?: Record<string, JsonValue>
    headers?: Record<string, string | { secret: string; prefix?: string }>
    json?: JsonValue
    body?: string
  }
  /** The request is short and safe to repeat: it is executed as a local activity. */
  idempotent?: boolean
}
export interface NeuronNode extends NodeBase {
  type: 'neuron'
  /** A stored neuron by slug or id, optionally `@version`. If absent, the node is one model call by `with`. */
  ref?: string
  /** `schema` is the JSON Schema of the structured answer, which is returned as `output.data`. */
  with: {
    variables?: JsonObject
    model?: string
    instructions?: string
    message: string
    schema?: JsonSchema
    max_output_tokens?: number
    temperature?: number
  }
}
export interface SearchNode extends NodeBase {
  type: 'search'
  /** Searches resources of the workspace. The output is the response of the API. */
  with: {
    query: string
    mode?: string
    types?: string[]
    versions?: number | string
    min_score?: JsonValue
    path_prefix?: string
    metadata?: Record<string, JsonValue>
    limit?: JsonValue
    offset?: number
  }
}
export interface ToolNode extends NodeBase {
  type: 'tool'
  /**
   * Calls a tool of a reflex (slug or id, optionally `@version`); the output is the result of the tool. `effect` is
   * pinned with the version when a run starts; a definition does not set it.
   */
  with: { reflex: string; name: string; args?: JsonValue; effect?: ToolEffect; is_short?: true }
}
export interface TranscribeNode extends NodeBase {
  type: 'transcribe'
  /** Transcribes the audio of an asset, or audio as base64. The output is the transcript. */
  with: { asset?: string; audio_base64?: string; mime_type?: string }
}
export interface StakeholdersNode extends NodeBase {
  type: 'stakeholders'
  /**
   * `propose` turns what models have `found` into a delta of a stakeholder map; `apply` applies a `delta` as the requester.
   * The map is an id or a slug.
   */
  with: {
    action: 'propose' | 'apply'
    map: string
    found?: JsonValue
    delta?: JsonValue
    expected_version?: JsonValue
    note?: string
  }
}
export interface MapNode extends NodeBase {
  type: 'map'
  items: JsonValue
  concurrency?: number
  body: Body
}
export interface LoopNode extends NodeBase {
  type: 'loop'
  /** Bare CEL expression, evaluated after each iteration with `iteration` and `last`. */
  until: string
  max: number
  body: Body
}
export interface PathwayRefNode extends NodeBase {
  type: 'pathway'
  /** Slug or id, optionally `@version`. */
  ref: string
  with?: JsonObject
}
export interface HumanNode extends NodeBase {
  type: 'human'
  kind: InterventionKind
  /** Title shown to people; the id if absent. */
  title?: string
  description?: string
  context?: JsonValue
  form?: JsonSchema
  questions?: Question[]
  assignees?: string[]
  /** A duration from the opening, or a time. Like `remind`, `escalate` and `quorum`, it may be an expression. */
  due?: string
  remind?: string[]
  escalate?: { after: string; to: string[] }[]
  quorum?: number | string
  exclude_requester?: boolean
  /** The name of a calendar: durations are working time. A run has the calendar itself, as it was when it started. */
  calendar?: string | WorkingCalendar
}
export interface WaitNode extends NodeBase {
  type: 'wait'
  /** Exactly one of `duration`, `until` and `event` is set. `until` gives an ISO 8601 time. */
  duration?: string
  until?: string
  event?: string
}
export interface JoinNode extends NodeBase {
  type: 'join'
  mode: 'all' | 'any' | 'n'
  n?: number
}
export interface EndNode extends NodeBase {
  type: 'end'
  output?: JsonValue
}

export type PathwayNode =
  | TransformNode
  | SwitchNode
  | HttpNode
  | NeuronNode
  | SearchNode
  | ToolNode
  | TranscribeNode
  | StakeholdersNode
  | MapNode
  | LoopNode
  | PathwayRefNode
  | HumanNode
  | WaitNode
  | JoinNode
  | EndNode

export type NodeType = PathwayNode['type']

/** Names of the common ports. A node type may have further ports. */
export const DEFAULT_PORT = 'default'
export const ERROR_PORT = 'error'
export const TIMEOUT_PORT = 'timeout'
export const EXHAUSTED_PORT = 'exhausted'

/** A stored pathway, pinned at one version. */
export interface PinnedPathway {
  id: string | null
  slug: string
  version: number | null
  title: string
  definition: PathwayDefinition
}
