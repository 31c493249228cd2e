import type { FromSchema } from 'json-schema-to-ts'
import type { JsonSchema } from '../shared/json/json.ts'
import type { Kinds } from './kinds/index.ts'
import type { EDGE, EffectKind, PlainKind, RETRY } from './kinds/kind.ts'

/**
 * The workflow definition, format `pathway/1`. Strings may contain `${CEL}`. Durations are ISO 8601 (`PT5M`, `P2D`).
 */
export interface PathwayDefinition {
  schema: 'pathway/1'
  /** JSON Schema of the run's input. */
  input?: JsonSchema
  /** Run title, with expressions over `input` and `run`. Absent or empty: the pathway's title. */
  run_title?: string
  nodes: PathwayNode[]
  edges: Edge[]
}

export type Edge = FromSchema<typeof EDGE>
export type RetryPolicy = FromSchema<typeof RETRY>

/** A graph inside a `map` or `loop` node. */
export interface Body {
  nodes: PathwayNode[]
  edges: Edge[]
}

/** Any node. The fields of each type are declared in `kinds/`. */
export type PathwayNode = NodeOfKind<Kinds[number]>
/** A node that is executed by an activity. */
export type EffectNode = NodeOfEffect<Kinds[number]>

type NodeOfKind<Kind> = Kind extends PlainKind<infer N> | EffectKind<infer N> ? N : never
type NodeOfEffect<Kind> = Kind extends EffectKind<infer N> ? N : never

export type NodeType = PathwayNode['type']

/** Names of the common ports. A node type may have more. */
export const DEFAULT_PORT = 'default'
export const ERROR_PORT = 'error'
export const TIMEOUT_PORT = 'timeout'
export const EXHAUSTED_PORT = 'exhausted'

/** A stored workflow, pinned to a version. */
export interface PinnedPathway {
  id: string | null
  slug: string
  version: number | null
  title: string
  definition: PathwayDefinition
}
