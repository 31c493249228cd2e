import type { FromSchema } from 'json-schema-to-ts'
import type { JsonSchema } from '../shared/json/json.ts'
import type { Kinds } from './kinds/index.ts'
import type { EDGE, EffectKind, PlainKind, RETRY } from './kinds/kind.ts'

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

export type Edge = FromSchema<typeof EDGE>
export type RetryPolicy = FromSchema<typeof RETRY>

/** A graph inside a node (`map`, `loop`). */
export interface Body {
  nodes: PathwayNode[]
  edges: Edge[]
}

/** Any node. Each type is declared by its fields in `kinds/`. */
export type PathwayNode = NodeOfKind<Kinds[number]>
/** A node that an activity executes. */
export type EffectNode = NodeOfEffect<Kinds[number]>

type NodeOfKind<Kind> = Kind extends PlainKind<infer N> | EffectKind<infer N> ? N : never
type NodeOfEffect<Kind> = Kind extends EffectKind<infer N> ? N : never

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
